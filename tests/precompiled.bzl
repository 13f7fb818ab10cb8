"""A precompiled header, which saves half of the time to compile the tests."""

load("@rules_cc//cc/common:cc_common.bzl", "cc_common")
load("@rules_cc//cc/common:cc_info.bzl", "CcInfo")

# The name of the action that compiles C++.
_COMPILE = "c++-compile"

# The compiler takes NAME.h.gch in place of NAME.h if it was made with the options of the file that includes
# it. If not, the compiler reads NAME.h, which only takes longer.
def _precompiled_header_impl(ctx):
    toolchain = ctx.attr._toolchain[cc_common.CcToolchainInfo]
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    context = cc_common.merge_cc_infos(cc_infos = [dep[CcInfo] for dep in ctx.attr.deps]).compilation_context
    header = ctx.actions.declare_file(ctx.label.name + ".h")
    compiled = ctx.actions.declare_file(ctx.label.name + ".h.gch")
    ctx.actions.expand_template(template = ctx.file.src, output = header, substitutions = {})
    variables = cc_common.create_compile_variables(
        cc_toolchain = toolchain,
        feature_configuration = features,
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        use_pic = True,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts + ctx.attr.copts,
    )
    ctx.actions.run(
        executable = cc_common.get_tool_for_action(feature_configuration = features, action_name = _COMPILE),
        arguments = cc_common.get_memory_inefficient_command_line(
            feature_configuration = features,
            action_name = _COMPILE,
            variables = variables,
        ) + ["-x", "c++-header", header.path, "-o", compiled.path],
        env = cc_common.get_environment_variables(
            feature_configuration = features,
            action_name = _COMPILE,
            variables = variables,
        ),
        inputs = depset([header], transitive = [context.headers, toolchain.all_files]),
        outputs = [compiled],
        mnemonic = "PrecompileHeader",
    )
    headers = depset([header, compiled])
    return [
        DefaultInfo(files = headers),
        CcInfo(compilation_context = cc_common.create_compilation_context(headers = headers)),
    ]

precompiled_header = rule(
    implementation = _precompiled_header_impl,
    attrs = {
        "src": attr.label(allow_single_file = [".h"], mandatory = True),
        "copts": attr.string_list(doc = "The options of the targets that include it."),
        "deps": attr.label_list(providers = [CcInfo]),
        "_toolchain": attr.label(default = "@bazel_tools//tools/cpp:current_cc_toolchain"),
    },
    fragments = ["cpp"],
    toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    doc = "Compiles `src` once, for targets with this one among their dependencies. They get it as NAME.h.",
)
