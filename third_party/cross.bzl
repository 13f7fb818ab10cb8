"""Repository rule for a cross compiler of Debian, for --config=arm64 and --config=s390x.

The repository is only fetched with such a config. The libraries of the other CPU are packages that
tools/cross has unpacked; Debian cannot install them all beside those of this machine.
"""

_BUILD = """load("@bazel_tools//tools/cpp:unix_cc_toolchain_config.bzl", "cc_toolchain_config")

package(default_visibility = ["//visibility:public"])

filegroup(name = "none")

cc_toolchain_config(
    name = "config",
    abi_libc_version = "glibc",
    abi_version = "gcc",
    compile_flags = {compile_flags},
    compiler = "gcc",
    cpu = "{cpu}",
    cxx_builtin_include_directories = {include_folders},
    cxx_flags = ["-std=c++17"],
    host_system_name = "local",
    link_flags = {link_flags},
    link_libs = ["-lstdc++", "-lm"],
    opt_compile_flags = {opt_compile_flags},
    opt_link_flags = ["-Wl,--gc-sections"],
    target_libc = "glibc",
    target_system_name = "{triple}",
    tool_paths = {tools},
    toolchain_identifier = "{triple}",
    unfiltered_compile_flags = [
        "-no-canonical-prefixes",
        "-Wno-builtin-macro-redefined",
        "-D__DATE__=\\"redacted\\"",
        "-D__TIMESTAMP__=\\"redacted\\"",
        "-D__TIME__=\\"redacted\\"",
    ],
)

cc_toolchain(
    name = "cc",
    all_files = ":none",
    compiler_files = ":none",
    dwp_files = ":none",
    linker_files = ":none",
    objcopy_files = ":none",
    strip_files = ":none",
    supports_param_files = 1,
    toolchain_config = ":config",
)

cc_toolchain_suite(
    name = "suite",
    toolchains = {{
        "{cpu}": ":cc",
        "{cpu}|gcc": ":cc",
    }},
)

platform(
    name = "platform",
    constraint_values = ["@platforms//cpu:{cpu}", "@platforms//os:linux"],
)

toolchain(
    name = "toolchain",
    target_compatible_with = ["@platforms//cpu:{cpu}", "@platforms//os:linux"],
    toolchain = ":cc",
    toolchain_type = "@bazel_tools//tools/cpp:toolchain_type",
)
"""

_TOOLS = ["ar", "cpp", "dwp", "gcc", "gcov", "ld", "nm", "objcopy", "objdump", "strip"]

def _find_include_folders(ctx, gcc):
    """Returns the folders that the compiler searches for headers of C++, and so also those of C."""
    lines = ctx.execute([gcc, "-E", "-xc++", "-", "-v"]).stderr.split("\n")
    return [str(ctx.path(line.strip()).realpath) for line in lines if line.startswith(" /") and len(line.split(" ")) == 2]

def _cross_toolchain_impl(ctx):
    triple, name = ctx.attr.triple, ctx.attr.debian_name
    gcc = ctx.which(triple + "-g++")
    if not gcc:
        fail("orca: %s-g++ not found; --config=%s needs it: install it with `apt-get install g++-%s`." %
             (triple, name, triple))
    folder = ctx.os.environ.get("ORCA_CROSS") or ctx.os.environ.get("HOME", "") + "/.cache/orca-cross"
    root = ctx.path(folder + "/" + name)
    if not root.get_child("complete").exists:
        fail("orca: no libraries for %s in %s; run `tools/cross %s`, or set ORCA_CROSS to their folder." %
             (name, root, name))
    include = "%s/usr/include" % root
    ctx.file("WORKSPACE", "")
    ctx.file("BUILD", _BUILD.format(
        compile_flags = repr([
            "-U_FORTIFY_SOURCE",
            "-fstack-protector",
            "-Wall",
            "-fno-omit-frame-pointer",
            "-fPIE",
            "-isystem",
            include,
        ]),
        cpu = ctx.attr.cpu,
        include_folders = repr(_find_include_folders(ctx, gcc) + [include]),
        link_flags = repr([
            option + "%s/%s/%s" % (root, lib, triple)
            for lib in ["usr/lib", "lib"]
            for option in ["-L", "-Wl,-rpath-link,"]
        ] + ["-Wl,-z,relro,-z,now"]),
        opt_compile_flags = repr(["-g0", "-O2", "-D_FORTIFY_SOURCE=1", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"]),
        tools = repr(dict(
            {tool: "%s/%s-%s" % (gcc.dirname, triple, tool) for tool in _TOOLS},
            **{tool: "/bin/false" for tool in ["llvm-cov", "llvm-profdata"]}
        )),
        triple = triple,
    ))

cross_toolchain = repository_rule(
    implementation = _cross_toolchain_impl,
    attrs = {
        "cpu": attr.string(mandatory = True, doc = "The name of the CPU in @platforms."),
        "debian_name": attr.string(mandatory = True, doc = "The name of the CPU in Debian."),
        "triple": attr.string(mandatory = True, doc = "The prefix of the compiler's name."),
    },
    environ = ["HOME", "ORCA_CROSS", "PATH"],
    local = True,
    doc = "A toolchain for another CPU: //:suite for Bazel 4 to 6, //:toolchain for later ones.",
)
