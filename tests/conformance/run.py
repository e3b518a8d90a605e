#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Weft authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run a built OpenCL-CTS against one ICD and summarise it sub-test by sub-test.

The suite itself is not here: build KhronosGroup/OpenCL-CTS anywhere outside
the repository and name its build folder with --build (or CTS_BUILD).

  run.py --build DIR --icd build/libfoo.so                 # the 'core' set, wimpy
  run.py --build DIR --icd build/libfoo.so api basic svm   # some groups
  run.py --build DIR --icd build/libfoo.so api --only binary_create
  run.py --list-groups

A group that crashes or runs out of time is run again one sub-test at a time,
so that one crash never hides the sub-tests after it. Results go to --out
(JSON) and, as a table, to standard output. Exit status 0 when nothing failed.
"""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

# group name -> (binary below test_conformance/, arguments, wimpy flag understood)
GROUPS = {
    "computeinfo": ("computeinfo/test_computeinfo", []),
    "basic": ("basic/test_basic", []),
    "api": ("api/test_api", []),
    "compiler": ("compiler/test_compiler", []),
    "commonfns": ("commonfns/test_commonfns", []),
    "geometrics": ("geometrics/test_geometrics", []),
    "relationals": ("relationals/test_relationals", []),
    "thread_dimensions": ("thread_dimensions/test_thread_dimensions", ["quick*"]),
    "multiples": ("multiple_device_context/test_multiples", []),
    "atomics": ("atomics/test_atomics", []),
    "profiling": ("profiling/test_profiling", []),
    "events": ("events/test_events", []),
    "allocations": ("allocations/test_allocations", ["single", "5", "all"]),
    "vectors": ("vectors/test_vectors", []),
    "printf": ("printf/test_printf", []),
    "device_partition": ("device_partition/test_device_partition", []),
    "buffers": ("buffers/test_buffers", []),
    "mem_host_flags": ("mem_host_flags/test_mem_host_flags", []),
    "select": ("select/test_select", ["-w"]),
    "conversions": ("conversions/test_conversions", ["-w"]),
    "contractions": ("contractions/test_contractions", []),
    "math": ("math_brute_force/test_bruteforce", ["-w"]),
    "integer_ops": ("integer_ops/test_integer_ops", []),
    "half": ("half/test_half", ["-w"]),
    "c11_atomics": ("c11_atomics/test_c11_atomics", []),
    "device_execution": ("device_execution/test_device_execution", []),
    "generic_address_space": ("generic_address_space/test_generic_address_space", []),
    "non_uniform_work_group": ("non_uniform_work_group/test_non_uniform_work_group", []),
    "pipes": ("pipes/test_pipes", []),
    "svm": ("SVM/test_svm", []),
    "workgroups": ("workgroups/test_workgroups", []),
    "subgroups": ("subgroups/test_subgroups", []),
    "device_timer": ("device_timer/test_device_timer", []),
    "spirv_new": ("spirv_new/test_spirv_new", []),
    "image_info": ("images/clGetInfo/test_cl_get_info", []),
    "image_methods": ("images/kernel_image_methods/test_kernel_image_methods", []),
    "image_copy": ("images/clCopyImage/test_cl_copy_images", ["small_images"]),
    "image_read_write": ("images/clReadWriteImage/test_cl_read_write_images", ["small_images"]),
    "image_fill": ("images/clFillImage/test_cl_fill_images", ["small_images"]),
    "image_samplerless": ("images/samplerlessReads/test_samplerless_reads", ["small_images"]),
    "image_streams_nearest": ("images/kernel_read_write/test_image_streams",
                              ["small_images", "CL_FILTER_NEAREST"]),
    "image_streams_linear": ("images/kernel_read_write/test_image_streams",
                             ["small_images", "CL_FILTER_LINEAR"]),
    "image_mipmaps": ("images/kernel_read_write/test_image_streams",
                      ["small_images", "test_mipmaps", "CL_FILTER_NEAREST"]),
    "ext_buffer_device_address": (
        "extensions/cl_ext_buffer_device_address/test_cl_ext_buffer_device_address", []),
    "ext_cxx_for_opencl": ("extensions/cl_ext_cxx_for_opencl/test_cl_ext_cxx_for_opencl", []),
    "khr_semaphore": ("extensions/cl_khr_semaphore/test_cl_khr_semaphore", []),
    "khr_command_buffer": ("extensions/cl_khr_command_buffer/test_cl_khr_command_buffer", []),
    "khr_mutable_dispatch": (
        "extensions/cl_khr_command_buffer/cl_khr_command_buffer_mutable_dispatch/"
        "test_cl_khr_mutable_dispatch", []),
    "khr_kernel_clock": ("extensions/cl_khr_kernel_clock/test_cl_khr_kernel_clock", []),
}
SLOW = {"math", "conversions", "allocations", "image_streams_nearest", "image_streams_linear",
        "image_mipmaps", "image_copy", "image_samplerless", "image_read_write", "image_fill"}
FLAGS = {"-w"}


def subtests(binary, env):
    """The names a binary lists under '--list' (falling back to '--help')."""
    for flag in ("--list", "--help"):
        try:
            out = subprocess.run([binary, flag], env=env, capture_output=True, text=True,
                                 timeout=60, errors="replace")
        except subprocess.TimeoutExpired:
            continue
        text = out.stdout + out.stderr
        tail = re.split(r"[Tt]est names(?:\s+available)?:|Tests?:", text)[-1] if flag == "--help" else text
        names = [m for m in re.findall(r"^\s+([A-Za-z_][\w.+-]*)\s*$", tail, re.M)]
        if names:
            return list(dict.fromkeys(names))
    return []


def launch(binary, args, env, timeout, logfile):
    """Run once; return (exit code or 'timeout' or 'signal N', seconds, {subtest: status})."""
    fd, result = tempfile.mkstemp(suffix=".json")
    os.close(fd)
    os.unlink(result)
    env = dict(env, CL_CONFORMANCE_RESULTS_FILENAME=result)
    begin = time.time()
    with open(logfile, "ab") as log:
        log.write(("\n### %s %s\n" % (binary, " ".join(args))).encode())
        log.flush()
        # Some read files that the build has put beside them: modules of SPIR-V.
        child = subprocess.Popen([os.path.abspath(binary)] + args, env=env, stdout=log, stderr=log,
                                 stdin=subprocess.DEVNULL, start_new_session=True,
                                 cwd=os.path.dirname(os.path.abspath(binary)))
        try:
            code = child.wait(timeout=timeout)
            end = code if code >= 0 else "signal %d" % -code
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            end = "timeout"
    seconds = time.time() - begin
    found = {}
    if os.path.exists(result):
        try:
            with open(result) as handle:
                found = json.load(handle).get("results", {})
        except ValueError:
            pass
        os.unlink(result)
    return end, seconds, found


def run_group(name, opts, env):
    path, args = GROUPS[name]
    binary = os.path.join(opts.build, "test_conformance", path)
    if not os.path.exists(binary):
        return {"status": "not built", "seconds": 0, "results": {}}
    args = [a for a in args if not (opts.full and a in FLAGS | {"small_images"})]
    if opts.full and name == "thread_dimensions":
        args = ["full*"]
    log = os.path.join(opts.logs, name + ".log")
    open(log, "w").close()
    if opts.only:
        end, seconds, found = launch(binary, args + opts.only, env, opts.timeout, log)
        if not found:
            found = {n: str(end) for n in opts.only} if end != 0 else {n: "pass" for n in opts.only}
        return {"status": end, "seconds": seconds, "results": found}
    end, seconds, found = launch(binary, args, env, opts.timeout, log)
    if not isinstance(end, str):
        if not found:
            found = {name: "pass" if end == 0 else "fail"}
        return {"status": end, "seconds": seconds, "results": found}
    if name.startswith("image_") or name in ("allocations", "computeinfo"):
        return {"status": end, "seconds": seconds, "results": {name: end}}
    begin = time.time()
    results = {}
    for test in subtests(binary, env):
        if time.time() - begin > opts.group_budget:
            results[test] = "not run"
            continue
        sub_end, _, sub = launch(binary, args + [test], env, opts.subtimeout, log)
        results[test] = sub.get(test) or (sub_end if isinstance(sub_end, str)
                                          else "pass" if sub_end == 0 else "fail")
    return {"status": end, "seconds": seconds + time.time() - begin,
            "results": results or {name: end}}


def count(results):
    tally = {"pass": 0, "fail": 0, "skip": 0, "crash": 0, "timeout": 0, "other": 0}
    for status in results.values():
        key = ("crash" if str(status).startswith("signal") else
               status if status in tally else "other")
        tally[key] += 1
    return tally


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    p.add_argument("groups", nargs="*", help="groups to run; default: all but the slow ones")
    p.add_argument("--build", default=os.environ.get("CTS_BUILD"), help="the CTS build folder")
    p.add_argument("--icd", help="the driver's shared library; it is then the only one seen")
    p.add_argument("--only", nargs="+", default=[], help="sub-tests of the one group named")
    p.add_argument("--full", action="store_true", help="not wimpy, not small images: hours")
    p.add_argument("--slow", action="store_true", help="with no group named: the slow ones too")
    p.add_argument("--timeout", type=float, default=600, help="seconds for a whole group")
    p.add_argument("--subtimeout", type=float, default=120, help="seconds for one sub-test alone")
    p.add_argument("--group-budget", type=float, default=1800,
                   help="seconds for a group run sub-test by sub-test")
    p.add_argument("--out", help="write all results as JSON here")
    p.add_argument("--logs", help="folder for the logs (default: a temporary one)")
    p.add_argument("--list-groups", action="store_true")
    opts = p.parse_args()
    if opts.list_groups:
        print("\n".join("%-28s %s" % (n, "slow" if n in SLOW else "") for n in GROUPS))
        return 0
    if not opts.build:
        p.error("name the CTS build folder with --build or CTS_BUILD")
    unknown = [g for g in opts.groups if g not in GROUPS]
    if unknown:
        p.error("no such group: " + ", ".join(unknown))
    if opts.only and len(opts.groups) != 1:
        p.error("--only goes with exactly one group")
    opts.logs = opts.logs or tempfile.mkdtemp(prefix="cts-logs-")
    os.makedirs(opts.logs, exist_ok=True)
    env = dict(os.environ)
    if opts.icd:
        # a vendors folder of its own, so that no other installed runtime is seen;
        # understood by both Khronos's loader and ocl-icd
        vendors = tempfile.mkdtemp(prefix="cts-vendors-")
        with open(os.path.join(vendors, "only.icd"), "w") as handle:
            handle.write(os.path.abspath(opts.icd) + "\n")
        env.pop("OCL_ICD_FILENAMES", None)
        env["OCL_ICD_VENDORS"] = vendors
    if not opts.full:
        env["CL_WIMPY_MODE"] = "1"
    names = opts.groups or [g for g in GROUPS if opts.slow or g not in SLOW]
    everything, bad = {}, 0
    print("%-28s %6s %6s %6s %6s %6s %6s %9s" % ("group", "pass", "fail", "skip", "crash",
                                               "t/out", "other", "seconds"))
    for name in names:
        outcome = run_group(name, opts, env)
        everything[name] = outcome
        t = count(outcome["results"])
        bad += t["fail"] + t["crash"] + t["timeout"] + t["other"]
        print("%-28s %6d %6d %6d %6d %6d %6d %9.1f" % (name, t["pass"], t["fail"], t["skip"],
              t["crash"], t["timeout"], t["other"], outcome["seconds"]), flush=True)
        broken = [k + ("" if v == "fail" else " (%s)" % v) for k, v in outcome["results"].items()
                  if v not in ("pass", "skip")]
        if broken:
            shown = ", ".join(broken[:40]) + (" ... %d more" % (len(broken) - 40) if len(broken) > 40 else "")
            print("    not passing: " + shown, flush=True)
    total = count({(g, k): v for g, o in everything.items() for k, v in o["results"].items()})
    print("total: " + ", ".join("%s %d" % kv for kv in total.items()))
    print("logs: " + opts.logs)
    if opts.out:
        with open(opts.out, "w") as handle:
            json.dump(everything, handle, indent=1, sort_keys=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
