"""Rules that build the agent and the program with compiler options of their own.

A workspace that uses Orca builds its tests without optimisation, or with a sanitizer. A slow agent
would falsify the recording, and a JVM does not load an agent that needs the library of a sanitizer.
"""

_OPTIONS = {
    "//command_line_option:collect_code_coverage": False,
    "//command_line_option:compilation_mode": "opt",
    "//command_line_option:conlyopt": [],
    "//command_line_option:copt": [],
    "//command_line_option:cxxopt": [],
    "//command_line_option:features": [],
    "//command_line_option:linkopt": [],
    "//command_line_option:per_file_copt": [],
}

def _optimise(_settings, _attr):
    return _OPTIONS

_optimised = transition(
    implementation = _optimise,
    inputs = [],
    outputs = _OPTIONS.keys(),
)

# Before Bazel 7, every rule with a transition needs an attribute of this name.
TRANSITION_ATTRS = {
    "_allowlist_function_transition": attr.label(
        default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
    ),
}

def _file_impl(ctx):
    return [DefaultInfo(
        files = depset(ctx.files.actual),
        runfiles = ctx.runfiles(files = ctx.files.actual),
    )]

optimised_file = rule(
    implementation = _file_impl,
    attrs = dict(
        TRANSITION_ATTRS,
        actual = attr.label(cfg = _optimised, mandatory = True),
    ),
    doc = "The files of the target `actual`, optimised.",
)

# The program finds the agent beside its real path. If an executor copies files in place of links, that
# is the path of this link, so the link has to be in a folder beside //agent.
def _program_impl(ctx):
    link = ctx.actions.declare_file(ctx.label.name + "/orca")
    ctx.actions.symlink(output = link, target_file = ctx.files.actual[0], is_executable = True)
    files = [link] + ctx.files.actual + ctx.files.data
    return [DefaultInfo(executable = link, runfiles = ctx.runfiles(files = files))]

optimised_program = rule(
    implementation = _program_impl,
    attrs = dict(
        TRANSITION_ATTRS,
        actual = attr.label(cfg = _optimised, mandatory = True),
        data = attr.label_list(allow_files = True, cfg = _optimised),
    ),
    executable = True,
    doc = "The program of the target `actual`, optimised, with `data` that it needs when it runs.",
)

program = rule(
    implementation = _program_impl,
    attrs = {
        "actual": attr.label(allow_single_file = True, mandatory = True),
        "data": attr.label_list(allow_files = True),
    },
    executable = True,
    doc = "The program of the file `actual`, with `data` that it needs when it runs.",
)
