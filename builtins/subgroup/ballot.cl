// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.h"

// cl_khr_subgroup_ballot. Bits of items that no sub-group has are not looked at.
WEFT_INLINE ulong all_items(void) {
  const uint size = get_max_sub_group_size();
  return ~0ul >> (64 - size);
}
WEFT_INLINE ulong bits_of(uint4 ballot) {
  return ((ulong)ballot.y << 32 | ballot.x) & all_items();
}
WEFT_INLINE uint4 ballot_of(ulong bits) { return (uint4)((uint)bits, (uint)(bits >> 32), 0, 0); }
WEFT_INLINE ulong own_bit(void) { return 1ul << get_sub_group_local_id(); }

SUB_GROUP uint4 sub_group_ballot(int predicate) {
  return ballot_of(__weft_sub_group_ballot(predicate != 0));
}
SUB_GROUP int sub_group_inverse_ballot(uint4 ballot) { return (bits_of(ballot) & own_bit()) != 0; }
SUB_GROUP int sub_group_ballot_bit_extract(uint4 ballot, uint k) {
  return (int)(bits_of(ballot) >> (k & 63)) & 1;
}
SUB_GROUP uint sub_group_ballot_bit_count(uint4 ballot) { return (uint)popcount(bits_of(ballot)); }
SUB_GROUP uint sub_group_ballot_inclusive_scan(uint4 ballot) {
  return (uint)popcount(bits_of(ballot) & (own_bit() | (own_bit() - 1)));
}
SUB_GROUP uint sub_group_ballot_exclusive_scan(uint4 ballot) {
  return (uint)popcount(bits_of(ballot) & (own_bit() - 1));
}
SUB_GROUP uint sub_group_ballot_find_lsb(uint4 ballot) { return (uint)ctz(bits_of(ballot)); }
SUB_GROUP uint sub_group_ballot_find_msb(uint4 ballot) { return 63 - (uint)clz(bits_of(ballot)); }

SUB_GROUP uint4 get_sub_group_eq_mask(void) { return ballot_of(own_bit()); }
SUB_GROUP uint4 get_sub_group_ge_mask(void) { return ballot_of(-own_bit() & all_items()); }
SUB_GROUP uint4 get_sub_group_gt_mask(void) {
  return ballot_of(-own_bit() & ~own_bit() & all_items());
}
SUB_GROUP uint4 get_sub_group_le_mask(void) { return ballot_of(own_bit() | (own_bit() - 1)); }
SUB_GROUP uint4 get_sub_group_lt_mask(void) { return ballot_of(own_bit() - 1); }
