// SPDX-FileCopyrightText: The Weft authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fuzz/small_programs.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <unordered_set>

#include "fuzz/parse.h"

namespace weft::fuzz {
namespace {

using Texts = std::vector<std::string>;

/// What a $name in a text stands for. Names in these texts stand for lists above them.
const std::vector<std::pair<std::string, Texts>> kLists = {
    // Any family.
    {"Wrapped", {"c[(i * 3) & 63]", "d[(uchar)(i * 3)]"}},
    {"Condition", {"i < n", "i >= n", "v > 3", "(i & 1) == 0", "n > 50", "li < 5"}},
    {"Guard", {"i < n", "v > 3"}},
    {"Leave",
     {"", "if (v > 9) break;", "if (v > j) continue;", "if (i < n) break;", "if (v > 9) return;"}},
    {"Bound", {"4", "n & 15", "i & 7"}},
    // Guards, what follows them, loops and early returns.
    {"Guarded", {"o[i] = 7;", "r[i] = v;", "v = v + b[i];", "return;", "v = c[(i * 3) & 63];"}},
    {"Arm", {"o[i] = 7;", "v = v + b[i];", "r[i] = v;"}},
    {"Iteration",
     {"v += c[(j * 3) & 63];", "o[i] = v + (T)j;",
      "if ((j & 1) == 0) v += d[(uchar)(j * 5 + i)];"}},
    {"Statement",
     {"o[i] = a[i];", "o[i] = v;", "o[i] = 7;", "o[i] = v + b[i];", "o[i] = $Wrapped;",
      "o[i] = (T)i;", "r[i] = 7;", "r[i] = v;", "v = b[i];", "v = v + b[i];", "v = $Wrapped;",
      "if ($Condition) { $Guarded }", "if ($Guard) { $Arm } else { $Arm }",
      "for (int j = 0; j < $Bound; j++) { $Leave $Iteration }"}},
    // The same in threes.
    {"Short",
     {"o[i] = a[i];", "r[i] = v;", "v = v + b[i];", "v = c[(i * 3) & 63];", "if (i < n) o[i] = 7;",
      "if (i < n) r[i] = v;", "if (i >= n) return;", "if (v > 9) return;", "if (v > 3) v = b[i];",
      "if (n > 50) o[i] = v;", "if (i < n) o[i] = v; else r[i] = 7;",
      "for (int j = 0; j < 4; j++) { if (v > 9) break; v += b[i]; }",
      "for (int j = 0; j < (i & 7); j++) { if (v > j) continue; o[i] = v; }",
      "for (int j = 0; j < n; j++) { if (i < j) break; r[i] = (T)j; }"}},
    // Indices that wrap, of ids and of counters.
    {"Id", {"i", "li", "j"}},
    {"Index",
     {"c[($Id * 3) & 63]", "c[($Id * 5 + 3) & 63]", "c[($Id * 3) % 64]",
      "c[(ushort)($Id * 7) & 63]", "c[($Id + n) & 63]", "c[63 - ($Id & 63)]", "c[min($Id, 63)]",
      "c[max(63 - $Id, 0)]", "d[(uchar)($Id * 3)]", "d[(uchar)($Id + 250)]",
      "d[(uchar)($Id * 2 + n)]", "d[(uchar)($Id - 3)]", "c[(uchar)($Id * 5) >> 2]",
      "c[((uint)$Id * 3) & 63]", "d[(uchar)((ushort)$Id * 9)]"}},
    {"Counter", {"int", "uint"}},
    {"Trips", {"4", "64", "n", "(i & 7) + 1"}},
    {"Walk",
     {"v += $Index;", "o[i] = $Index;", "if (v > 9) break; v += $Index;",
      "if (j < n) v += $Index;"}},
    // Local memory.
    {"Cell",
     {"l[li]", "l[li ^ 1]", "l[0]", "l[(li * 3) & 63]", "l[get_local_size(0) - 1 - (ulong)li]",
      "l[((ulong)li + 1) % get_local_size(0)]"}},
    {"Fill",
     {"l[li] = a[i];", "l[li] = (T)i;", "if (i < n) l[li] = v; else l[li] = 7;",
      "l[li] = 7; if (v > 3) l[li] = v;"}},
    {"Uniform", {"n > 50", "get_group_id(0) == 0"}},
    {"Middle",
     {"", "o[i] = $Cell;", "v = $Cell;", "if ($Guard) v += $Cell;", "if ($Guard) return;",
      "if (li == 0) return;", "for (int j = 0; j < 4; j++) { $Leave v += l[j]; }",
      "for (int j = 0; j < (int)get_local_size(0); j++) { $Leave v += l[j]; }",
      "if ($Uniform) { barrier; l[li] = v; barrier; v = l[0]; }",
      "for (int j = 0; j < 3; j++) { barrier; l[li] = v; barrier; v += l[0]; }",
      "for (int j = 0; j < (n & 3); j++) { barrier; l[li] = v; barrier; if (v > 9) continue; v += "
      "l[li "
      "^ 1]; }",
      "for (int s = 64; s > 0; s = s >> 1) { if (li < s && li + s < (int)get_local_size(0)) l[li] "
      "= "
      "l[li] + l[li + s]; barrier; }"}},
    {"Between", {"", "barrier; l[li] = v; barrier;"}},
    {"End",
     {"", "o[i] = $Cell;", "if ($Guard) o[i] = l[li];", "if (i < n) o[i] = 7; r[i] = v;",
      "for (int j = 0; j < 4; j++) { $Leave o[i] = l[j]; }"}},
    // Several accesses of one work-item to places that are next to each other.
    {"Own", {"q[2 * i]", "q[2 * i + 1]", "q[2 * i + (i & 1)]"}},
    {"OwnValue", {"7", "a[i]", "q[2 * i]", "q[2 * i + 1]", "s[2 * i] + s[2 * i + 1]"}},
    {"OwnLocal", {"l[2 * li]", "l[2 * li + 1]", "l[2 * li + (li & 1)]"}},
    {"OwnLocalValue", {"7", "a[i]", "l[2 * li] + l[2 * li + 1]"}},
    {"OwnPrivate", {"p[0]", "p[1]", "p[(int)a[i] & 1]"}},
    {"OwnPrivateValue", {"7", "b[i]", "p[0] + p[1]"}},
    {"Apart", {"", "barrier;"}},
    // Ids.
    {"Number",
     {"get_group_id(0)", "get_group_id(1)", "li", "i", "get_global_id(1)", "get_num_groups(0)",
      "get_local_size(0)", "get_global_offset(0)", "get_global_size(0)", "7",
      "get_group_id(0) * 3 + 1"}},
    {"SomeNumber", {"get_group_id(0)", "li", "i", "get_group_id(1)", "get_num_groups(0)"}},
    {"Where", {"", "if (i < n)", "if (li < 5)"}},
    // One work-item that speaks for its group.
    {"Said", {"a[i]", "v + b[i]", "(T)i", "7", "a[get_group_id(0)]"}},
    {"Told", {"u", "u + 1", "u + v"}},
    {"Say",
     {"if (li == 0) u = $Said;", "if (li < 2) u = $Said;",
      "if (li == 0) { if (v > 3) u = 7; else u = "
      "$Said; }",
      "if (li >= 3) u = 7; else u = $Said;", "if (n >= li) u = $Said;"}},
    {"Tell",
     {"if (li == 0) f[0] = $Told;",
      "if (li == 0 && n > 50) f[0] = $Told; else if (li == 0) f[0] "
      "= 7;"}},
    // Long loops in which rows of work-items read the same.
    {"Around",
     {"for (int j = 0; j < 600; j++)", "for (int j = 0; j < 1024; j++)",
      "for (uint j = 5; j < 700; j++)",
      "for (int k = 0; k < 40; k++) for (int j = k; j < k + 16; j++)",
      "for (int k = 0; k < n; k++) for (int j = 0; j < 20; j++)",
      "if (n > 50) for (int j = 0; j < 600; j++)", "if (x < n) for (int j = 0; j < 600; j++)",
      "for (int j = 0; j < 600 + lx; j++)"}},
    {"Step",
     {"v += c[((int)j + x) & 63];", "v += c[((int)j + x * 3) & 63] * (T)ly;",
      "T t = u; u = v; v = t + c[((int)j + x) & 63];",
      "if (v > 9) v = c[((int)j + x) & 63]; else u += c[(int)j & 63];",
      "if (u > v) continue; v += c[((int)j + x) & 63];",
      "if (v == 77) break; u += c[((int)j + x) & 63];"}},
    // Quotients.
    {"Quotient",
     {"i / w", "(i + 1) / w * 7 + i / w", "i % w", "(i + 3) % w + i / w", "a[i] / (T)w",
      "(a[i] + b[i]) / (T)w", "a[i] % (T)w", "a[i] / (T)(m[i] | 1)", "b[i] / (T)(m[i] | 1)",
      "a[i] % (T)(m[i] | 1)", "(T)i / (T)(li + 1)", "i / 7 + i / w", "(T)i / (T)w",
      "(T)(i * 2) / (T)(i | 1)", "(T)(i * 3) / (T)(i | 1)", "(i * 2) % (i | 1)"}},
    // Vectors and arrays of one work-item.
    {"Kept", {"", "volatile"}},
    {"Two", {"(T2)(a[i], b[i])", "(T2)((T)i, (T)(i * 2 + 1))", "(T2)(7, 7)", "u"}},
    {"Four", {"(T4)(a[i], b[i], 7, (T)i)", "(T4)((T)i, (T)(i * 2 + 1), 3, 4)", "u"}},
    {"Change2",
     {"", "v.x = 7;", "v.y = v.x;", "v[i & 1] = 5;", "if (i < n) v = u;", "u = v;",
      "for (int j = 0; j < 2; j++) v[j] = (T)j;", "p[i & 1] = v;", "v = p[1];"}},
    {"Change4",
     {"", "v.x = 7;", "v.w = v.y;", "v[i & 3] = 5;", "if (i < n) v = u;", "u = v;",
      "for (int j = 0; j < 4; j++) v[j] = (T)j;", "p[i & 1] = v;", "v = p[1];"}},
    // The same, kept while the group meets.
    {"Meet",
     {"", "l[li] = v.x; barrier; v.y = l[0]; barrier;",
      "l[li] = u.y; barrier; u.x += l[0]; barrier;",
      "l[li] = v.y; barrier; if (i < n) v.x = l[li]; barrier;",
      "for (int j = 0; j < (n & 3); j++) { l[li] = v.x; barrier; v = u; u.y = l[0]; barrier; }",
      "l[li] = v.x; barrier; v = v + u; barrier;"}},
    // Several numbers of each work-item in rows of tiles.
    {"Tiled",
     {"l[(24 - li / 4) * 8 + 2 * li % 8", "l[(12 - li / 8) * 16 + (2 * li & 15)",
      "l[(49 - li / 2) * 4 + (2 * li & 2)"}},
    {"Tile",
     {"$Tiled] = v; $Tiled + 1] = u;", "$Tiled + 1] = v; $Tiled] = 7;",
      "if (i < n) { $Tiled] = v; $Tiled + 1] = u; }"}},
    {"TileUse",
     {"o[i] = $Tiled]; r[i] = $Tiled + 1];", "if (li < 5) o[i] = $Tiled] + $Tiled + 1];",
      "for (int j = 0; j < 3; j++) { v += $Tiled + 1] * $Tiled]; } o[i] = v;"}},
    // What inner loops add up in memory, where other places may be the same.
    {"Term",
     {"c[(j * 3) & 63]", "a[i]", "(T)j", "r[i]", "s[2 * i]", "q[2 * i + (j & 1)]", "l[li]"}},
    {"Adds",
     {"o[i] += $Term;", "r[i] = o[i] + $Term;", "if (i < n) o[i] += $Term;",
      "q[2 * i] += $Term; q[2 * i + 1] += q[2 * i];", "l[li] += $Term;", "v = $Term;",
      "q[2 * i + (j & 1)] += 3;", "if (v > j) continue;", "if (v > 9) break;"}},
    // Neighbours that are asked for, whose limits are those of the range or near them.
    {"Limit", {"n", "n - 2", "3", "n + 5"}},
    {"Border",
     {"if (i - 2 >= 0) v += c[(i + 62) & 63];", "if (i + 3 < $Limit) v += c[(i + 3) & 63];",
      "if (i < 2 || i >= $Limit) return;", "if (i > 2) v = c[i & 63]; else v = v + b[i];",
      "if (i + 1 <= $Limit && i - 1 > 2) o[i] = v;", "v += c[max(min(i + 2, $Limit), 0) & 63];",
      "v += c[min(max(i - 3, 0), 63)];", "if (min(i + 1, $Limit) > 5) r[i] = (T)i;",
      "for (int j = 0; j < 3; j++) { if (i + j < $Limit) v += d[(uchar)(i + j)]; }"}},
    // Two dimensions: X columns and Y rows, in groups of LX and LY.
    {"Element",
     {"a[y * X + x]", "a[x * Y + y]", "a[(Y - 1 - y) * X + x]", "a[y * X + X - 1 - x]",
      "a[min(y + 1, Y - 1) * X + x]", "a[y * X + max(x - 1, 0)]", "h[(y * X + x) * 8 + 3]",
      "h[(x * Y + y) * 8 + (ly & 7)]", "c[(lx * 4 + ly) & 63]"}},
    {"Inside", {"x < n", "y < n", "lx > ly"}},
    {"Row",
     {"h[(y * X + x) * 8 + k]", "h[(x * Y + y) * 8 + k]", "h[(y * X + x) * 8 + 7 - k]",
      "c[k * 8 + (ly & 7)]"}},
    {"RowEnd", {"8", "n & 7", "lx & 7"}},
    {"RowLeave", {"", "if (v > 40) break;"}},
    {"Sum",
     {"v = $Element;", "if ($Inside) v += $Element;", "if (x >= n) return;",
      "if (y >= 3 && x < n) return;", "for (int k = 0; k < $RowEnd; k++) { $RowLeave v += $Row; }",
      "for (int k = 0; k < X; k++) v += a[y * X + k];",
      "for (int k = 0; k < Y; k++) v += a[k * X + x];",
      "for (int k = 0; k < min(X, Y); k++) v += a[y * X + k] * b[k * X + x];"}},
    {"Target",
     {"o[i]", "o[x * Y + y]", "o[(Y - 1 - y) * X + x]", "q[(x * Y + y) * 2]", "q[2 * i + 1]"}},
    {"Put",
     {"$Target = v;", "if ($Inside) $Target = v;", "$Target = (T)(lx + ly * 3);",
      "$Target = $Element;"}},
    {"ShortSum",
     {"v = a[x * Y + y];", "v += a[(Y - 1 - y) * X + x];", "if (x < n) v += h[i * 8 + 3];",
      "if (x >= n || y >= n) return;", "if (ly == 0) return;", "r[x * Y + y] = v;",
      "for (int k = 0; k < 8; k++) v += h[i * 8 + k];",
      "for (int k = 0; k < (n & 7); k++) { if (v > 40) break; v += h[(x * Y + y) * 8 + k]; }",
      "for (int k = 0; k < (int)(lx & 7); k++) v += c[k * 8 + (ly & 7)];",
      "for (int k = 0; k < (int)Y; k++) v += a[k * X + x];"}},
    {"Mirrored",
     {"a[y * X + x]", "a[x * Y + y]", "a[(Y - 1 - y) * X + x]", "h[(x * Y + y) * 8 + 3]"}},
    {"Addend", {"(T)7", "(T)(ly * LX + lx)", "(T)y", "b[i]", "c[(lx * 4 + ly) & 63]"}},
    {"Allowed", {"", "if (x < n)", "if (y < n)", "if (ly * LX + lx < 20)"}},
    {"LocalFill",
     {"l[p] = $Element;", "if ($Inside) l[p] = v; else l[p] = 7;", "l[lx * LY + ly] = $Element;"}},
    {"LocalUse",
     {"o[i] = l[lx * LY + ly];", "o[x * Y + y] = l[ly * LX + LX - 1 - lx];",
      "o[(get_group_id(0) * LX + p / LY) * Y + get_group_id(1) * LY + p % LY] = l[(p % LY) * LX + "
      "p / LY];",
      "for (int k = 0; k < LX; k++) v += l[ly * LX + k]; o[i] = v;",
      "for (int k = 0; k < LY; k++) { $RowLeave v += l[k * LX + lx] * a[y * X + x]; } o[i] = v;",
      "for (int j = 0; j < 3; j++) { barrier; l[p] = v; barrier; v += l[lx * LY + ly]; } o[x * Y + "
      "y] = v;",
      "if (ly == 0) { for (int k = 0; k < LY; k++) v += l[k * LX + lx]; r[i] = v; }"}},
};

/// Families whose names begin so run in ranges of two dimensions.
constexpr const char* kPlane = "two dimensions";

struct Family {
  const char* name;
  std::vector<Scalar> types;  ///< that T is
  Texts options;
  std::string text;
};

const std::vector<Scalar> kTypes = {Scalar::Int, Scalar::UInt, Scalar::UChar, Scalar::Float};
const std::vector<Scalar> kTwoTypes = {Scalar::Int, Scalar::Float};
const std::vector<Scalar> kIntegers = {Scalar::Int,   Scalar::UInt, Scalar::UChar,
                                       Scalar::Short, Scalar::Long, Scalar::ULong};
/// The size of an element decides how many rows are taken at once.
const std::vector<Scalar> kRowTypes = {Scalar::Int, Scalar::UChar, Scalar::Short, Scalar::Float,
                                       Scalar::ULong};
const Texts kPlain = {""};
const Texts kRelaxed = {"", " -cl-fast-relaxed-math", " -cl-unsafe-math-optimizations"};

const std::vector<Family> kFamilies = {
    {"two statements", kTypes, kPlain, "$Int T v = a[i]; $Statement $Statement $Observe"},
    {"three statements", kTwoTypes, kPlain, "$Int T v = a[i]; $Short $Short $Short $Observe"},
    {"three, other ids", {Scalar::Int}, kPlain, "$Wide T v = b[i]; $Short $Short $Short $Observe"},
    {"wrapping, of ids", kTypes, kPlain,
     "$Int int j = (int)a[i] + i; T v = 1; $Where v = $Index; o[i] = v + $Wrapped;"},
    {"wrapping, in loops", kTwoTypes, kPlain,
     "$Int T v = 1; for ($Counter j = 0; j < $Trips; j++) { $Walk } r[i] = v;"},
    {"local memory", kTypes, kPlain,
     "$Int T v = b[i]; $Fill barrier; $Middle $Between $End $Observe"},
    {"global pairs", kTypes, kPlain, "$Int $Own = $OwnValue; $Own = $OwnValue; $Own = $OwnValue;"},
    {"aliased pairs", kTwoTypes, kPlain,
     "$Int q[2 * i] = s[2 * i] + s[2 * i + 1]; $Own = $OwnValue; q[2 * i + 1] = s[2 * i] * 3 + "
     "$Own;"},
    {"local pairs", kTypes, kPlain,
     "$Int l[2 * li] = a[i]; l[2 * li + 1] = b[i]; $OwnLocal = $OwnLocalValue; $OwnLocal = "
     "$OwnLocalValue; $OwnLocal = $OwnLocalValue; barrier; o[i] = l[2 * li]; r[i] = l[2 * li + "
     "1];"},
    {"private pairs", kTwoTypes, kPlain,
     "$Int T p[2] = {1, 2}; $OwnPrivate = $OwnPrivateValue; $Apart $OwnPrivate = $OwnPrivateValue; "
     "$Apart $OwnPrivate = $OwnPrivateValue; o[i] = p[0]; r[i] = p[1];"},
    {"ids in twos", kTypes, kPlain, "$Int $Where o2[i] = (T2)((T)($Number), (T)($Number));"},
    {"ids", kTwoTypes, kPlain, "$Int $Where o[i] = (T)($Number); r[i] = (T)($Number);"},
    {"ids in fours",
     {Scalar::Int},
     kPlain,
     "$Int o4[i] = (T4)((T)($SomeNumber), (T)($SomeNumber), (T)($SomeNumber), (T)($SomeNumber));"},
    {"one speaks", kTypes, kPlain,
     "$Int T v = b[i]; T u; $Say barrier; $Tell barrier; o[i] = f[0];"},
    {"one speaks, in a loop", kTwoTypes, kPlain,
     "$Int T v = b[i]; T u; $Say for (int j = 0; j < 3; j++) { barrier; $Tell barrier; v += f[0]; "
     "if (li "
     "== 0) u = v; } o[i] = v;"},
    {"quotients", kIntegers, kRelaxed, "$Int o[i] = (T)($Quotient); r[i] = (T)($Quotient);"},
    {"vectors of two", kTypes, kPlain,
     "$Int T2 u = (T2)(b[i], a[i]); T2 p[2]; p[0] = u; p[1] = (T2)(3, 4); $Kept T2 v = $Two; "
     "$Change2 $Change2 o2[i] = v; r[i] = u.x + u.y;"},
    {"vectors of four", kTypes, kPlain,
     "$Int T4 u = (T4)(b[i], a[i], 5, 6); T4 p[2]; p[0] = u; p[1] = (T4)(3, 4, 1, 2); $Kept T4 v = "
     "$Four; $Change4 $Change4 o4[i] = v; r[i] = u.x + u.w;"},
    {"vectors of two, kept", kTypes, kPlain,
     "$Int T2 u = (T2)(b[i], a[i]); T2 p[2]; p[0] = u; p[1] = (T2)(3, 4); T2 v = $Two; $Meet "
     "$Change2 $Meet o2[i] = v; r[i] = u.x + u.y;"},
    {"vectors of four, kept", kTwoTypes, kPlain,
     "$Int T4 u = (T4)(b[i], a[i], 5, 6); T4 p[2]; p[0] = u; p[1] = (T4)(3, 4, 1, 2); T4 v = "
     "$Four; "
     "$Meet $Change4 $Meet o4[i] = v; r[i] = u.x + u.w;"},
    {"rows of tiles", kTypes, kPlain, "$Int T v = a[i]; T u = b[i]; $Tile barrier; $TileUse"},
    {"sums in memory", kTypes, kPlain,
     "$Int T v = a[i]; l[li] = v; for (int j = 0; j < $Bound; j++) { $Adds $Adds } $Observe"},
    {"borders", kTypes, kPlain, "$Int T v = a[i]; $Border $Border o[i] = v;"},
    {"borders, of groups", kTwoTypes, kPlain,
     "$Int T v = a[i]; l[li] = b[i]; barrier; v += l[0]; $Border $Border o[i] = v;"},
    {"two dimensions", kRowTypes, kPlain, "$Plane T v = b[i]; $Sum $Put"},
    {"two dimensions, other ids", kTwoTypes, kPlain,
     "$AnyPlane T v = b[i]; $ShortSum $ShortSum $Target = v;"},
    {"two dimensions, straight", kRowTypes, kPlain,
     "$AnyPlane $Allowed $Target = $Mirrored + $Addend;"},
    {"two dimensions, local memory", kRowTypes, kPlain,
     "$Plane int p = ly * LX + lx; T v = b[i]; $LocalFill barrier; $LocalUse"},
    {"two dimensions, in lockstep", kTwoTypes, kPlain,
     "$Plane T v = b[i]; T u = a[i]; $Around { $Step $Step } o[i] = v; r[i] = u + (T)lx;"},
};

/// Begins with these everywhere; what is not used is left out.
const char* const kInt = "int i = get_global_id(0); int li = get_local_id(0);";
const char* const kWide[] = {"uint i = get_global_id(0); uint li = get_local_id(0);",
                             "ulong i = get_global_id(0); ulong li = get_local_id(0);"};

/// The same in two dimensions, with ids of a type.
std::string planeOf(const std::string& type) {
  const auto declare = [&](const char* name, const std::string& value) {
    return type + " " + name + " = " + value + "; ";
  };
  std::string text;
  for (const char* d : {"0", "1"}) {
    const bool isFirst = *d == '0';
    const auto query = [&](const char* what) { return "get_" + std::string(what) + "(" + d + ")"; };
    text += declare(isFirst ? "x" : "y", query("global_id"));
    text += declare(isFirst ? "lx" : "ly", query("local_id"));
    text += declare(isFirst ? "X" : "Y", query("global_size") + " + " + query("global_offset"));
    text += declare(isFirst ? "LX" : "LY", query("local_size"));
  }
  return text + declare("i", "y * X + x");
}

size_t lengthOfName(const std::string& text, size_t from) {
  size_t end = from;
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
  return end - from;
}

/// Every list, with all names in its texts replaced in all ways.
class Lists {
 public:
  static const Lists& instance() {
    static const Lists lists;
    return lists;
  }
  const Texts& operator[](const std::string& name) const { return lists_.at(name); }

 private:
  Lists() {
    lists_["Int"] = {kInt};
    lists_["Wide"] = {kWide[0], kWide[1]};
    lists_["Plane"] = {planeOf("int")};
    lists_["AnyPlane"] = {planeOf("int"), planeOf("uint"), planeOf("ulong")};
    lists_["Observe"] = {""};
    for (const auto& [name, texts] : kLists) {
      Texts all;
      for (const std::string& text : texts) expand(text, all);
      lists_[name] = std::move(all);
    }
  }

  void expand(const std::string& text, Texts& all) const {
    const size_t at = text.find('$');
    if (at == std::string::npos) {
      all.push_back(text);
      return;
    }
    const size_t length = lengthOfName(text, at + 1);
    for (const std::string& by : lists_.at(text.substr(at + 1, length)))
      expand(text.substr(0, at) + by + text.substr(at + 1 + length), all);
  }

  std::map<std::string, Texts> lists_;
};

/// The names in a family's text, in order.
Texts namesIn(const std::string& text) {
  Texts names;
  for (size_t at = text.find('$'); at != std::string::npos; at = text.find('$', at + 1))
    names.push_back(text.substr(at + 1, lengthOfName(text, at + 1)));
  return names;
}

uint64_t countOf(const Family& family) {
  uint64_t count = family.types.size() * family.options.size();
  for (const std::string& name : namesIn(family.text)) count *= Lists::instance()[name].size();
  return count;
}

/// Where a family begins, and where the last one ends.
const std::vector<uint64_t>& starts() {
  static const std::vector<uint64_t> starts = [] {
    std::vector<uint64_t> all{0};
    for (const Family& family : kFamilies) all.push_back(all.back() + countOf(family));
    return all;
  }();
  return starts;
}

size_t familyOf(uint64_t number) {
  if (number >= smallProgramCount()) throw std::out_of_range("no such program");
  const auto after = std::ranges::upper_bound(starts(), number);
  return static_cast<size_t>(after - starts().begin()) - 1;
}

struct Source {
  std::string text;
  Scalar element;
  std::string options;
};

/// What `v` holds shows where it has been assigned to.
void observe(std::string& text) {
  const size_t first = text.find("T v = ");
  const bool isAssigned =
      text.find(" v = ", first + 3) != std::string::npos || text.find("v += ") != std::string::npos;
  if (isAssigned) text += " r[i] = v;";
}

Source sourceOf(uint64_t number) {
  const size_t f = familyOf(number);
  const Family& family = kFamilies[f];
  uint64_t rest = number - starts()[f];
  const auto choose = [&](const auto& list) {
    const uint64_t chosen = rest % list.size();
    rest /= list.size();
    return list[chosen];
  };
  Source source;
  source.element = choose(family.types);
  source.options = choose(family.options);
  const std::string& pattern = family.text;
  size_t done = 0;
  for (size_t at = pattern.find('$'); at != std::string::npos; at = pattern.find('$', at + 1)) {
    const size_t length = lengthOfName(pattern, at + 1);
    source.text += pattern.substr(done, at - done);
    source.text += choose(Lists::instance()[pattern.substr(at + 1, length)]);
    done = at + 1 + length;
  }
  source.text += pattern.substr(done);
  if (pattern.ends_with("$Observe")) observe(source.text);
  return source;
}

}  // namespace

uint64_t smallProgramCount() { return starts().back(); }

std::string smallProgramFamily(uint64_t number) { return kFamilies[familyOf(number)].name; }

Program smallProgram(uint64_t number) {
  const Source source = sourceOf(number);
  Program program = parse(source.text, source.element);
  program.options += source.options;
  program.seed = number;
  return program;
}

bool isRepeated(uint64_t number) {
  static const std::vector<bool> repeated = [] {
    std::vector<bool> all(smallProgramCount());
    std::unordered_set<std::string> seen;
    for (uint64_t i = 0; i < all.size(); ++i) {
      const Source source = sourceOf(i);
      all[i] = !seen.insert(source.text + scalarName(source.element) + source.options).second;
    }
    return all;
  }();
  return repeated[number];
}

namespace {

struct Sizes {
  std::array<uint64_t, 2> global, local{1, 1}, offset{};
};

/// A range for each, and in turn an argument below, at or above its work-items.
std::vector<SmallRange> rangesOf(std::span<const Sizes> all, unsigned dimensions, uint64_t number) {
  std::vector<SmallRange> ranges;
  for (const Sizes& sizes : all) {
    SmallRange range{};
    range.shape.dimensions = dimensions;
    for (unsigned d = 0; d < dimensions; ++d) {
      range.shape.global[d] = sizes.global[d];
      range.shape.local[d] = sizes.local[d];
      range.shape.offset[d] = sizes.offset[d];
    }
    const uint64_t values[] = {sizes.global[0] / 2, sizes.global[0], sizes.global[0] + 5, 0,
                               sizes.global[dimensions - 1] - 1};
    range.n = values[(number + ranges.size()) % std::size(values)];
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace

std::vector<SmallRange> smallRanges(uint64_t number) {
  // Groups of 1, 7, 64 and 100; one that is not whole; many small ones.
  static constexpr Sizes kLines[] = {{{1}, {1}},    {{21}, {7}},  {{128}, {64}},    {{200}, {100}},
                                     {{100}, {64}}, {{256}, {4}}, {{64}, {16}, {3}}};
  // Groups of whole and of broken tiles of 4 and 8 rows.
  static constexpr Sizes kPlanes[] = {
      {{16, 16}, {8, 8}}, {{32, 8}, {16, 4}}, {{20, 12}, {5, 4}},         {{34, 9}, {17, 9}},
      {{13, 9}, {4, 4}},  {{8, 32}, {1, 16}}, {{24, 16}, {8, 16}, {3, 2}}};
  if (smallProgramFamily(number).starts_with(kPlane)) return rangesOf(kPlanes, 2, number);
  std::vector<SmallRange> ranges = rangesOf(kLines, 1, number);
  // Quotients are wrong where rounding shows, which is seldom.
  if (smallProgramFamily(number) == "quotients") {
    SmallRange range{};
    range.shape.global[0] = 4096;
    range.shape.local[0] = 64;
    ranges.push_back(range);
  }
  return ranges;
}

}  // namespace weft::fuzz
