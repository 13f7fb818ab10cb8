"""The programs that join the files of unit tests."""

# Each program is compiled as one file: see joined_tests of cc.bzl. A very long program would keep a
# compiler busy at the end, when the other CPUs have nothing to do: model_tests, with 4,400 lines, takes 7 s.
JOINED = {
    "agent_tests": [
        "//tests/agent/deadlock:deadlock_tests",
        "//tests/agent/hotspot:hotspot_tests",
        "//tests/agent/jvm:jvm_tests",
        "//tests/agent/lock:lock_tests",
        "//tests/agent/meta:meta_tests",
        "//tests/agent/record:record_tests",
        "//tests/agent/thread:thread_tests",
        "//tests/agent/track:track_tests",
        "//tests/agent/tracked:tracked_tests",
        "//tests/agent:agent_tests",
    ],
    "answer_tests": [
        "//tests/tools/orca/answer:answer_tests",
        "//tests/tools/orca/html:html_tests",
        "//tests/tools/orca/render/view:diff_tests",
        "//tests/tools/orca/render/view:say_tests",
        "//tests/tools/orca/render:render_tests",
    ],
    "attach_tests": ["//tests/tools/orca/attach:attach_tests"],
    "budget_tests": [
        "//tests/tools/orca/budget/measure:measure_tests",
        "//tests/tools/orca/budget:budget_tests",
        "//tests/tools/orca/collect:collect_tests",
        "//tests/tools/orca/digest:digest_tests",
        "//tests/tools/orca/mcp:mcp_tests",
    ],
    "causal_tests": [
        "//tests/tools/orca/causal/path:path_tests",
        "//tests/tools/orca/causal/trace:trace_pools_tests",
        "//tests/tools/orca/causal/trace:trace_tests",
        "//tests/tools/orca/causal/whatif:whatif_tests",
        "//tests/tools/orca/causal:bounds_tests",
        "//tests/tools/orca/cmd:whatif_tests",
        "//tests/tools/orca/render/view:simulated_tests",
    ],
    "classfile_tests": ["//tests/agent/classfile:classfile_tests"],
    "cmd_tests": ["//tests/tools/orca/cmd:cmd_tests"],
    "dump_tests": [
        "//tests/tools/orca/check:check_tests",
        "//tests/tools/orca/dump:dump_tests",
        "//tests/tools/orca/pack:pack_tests",
    ],
    "export_tests": [
        "//tests/tools/orca/export:export_tests",
    ],
    "model_tests": ["//tests/tools/orca/model:model_tests"],
    "options_tests": [
        "//tests/agent/base:base_tests",
        "//tests/agent/event:event_tests",
        "//tests/agent/options:options_tests",
    ],
    "program_tests": [
        "//tests/tools/orca/cmd:agent_options_tests",
        "//tests/tools/orca/cmd:program_tests",
        "//tests/tools/orca/doc:doc_tests",
        "//tests/tools/orca:main_tests",
    ],
    "replay_tests": [
        "//tests/tools/orca/live:live_tests",
        "//tests/tools/orca/model/replay:replay_tests",
    ],
    "sampler_tests": ["//tests/sampler:sampler_tests"],
    "state_tests": [
        "//tests/tools/orca/model/base:base_tests",
        "//tests/tools/orca/model/state:state_tests",
        "//tests/tools/orca/model:compare_tests",
    ],
    "view_tests": ["//tests/tools/orca/render/view:view_tests"],
    "writer_tests": [
        "//tests/agent/files:files_tests",
        "//tests/agent/writer:writer_tests",
    ],
}
