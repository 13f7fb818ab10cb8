"""Options of Bazel's command line, without a dependency on bazel_skylib."""

def _flag_impl(_ctx):
    return []

bool_flag = rule(
    implementation = _flag_impl,
    build_setting = config.bool(flag = True),
    doc = "A boolean option of Bazel's command line, such as --//bazel:profile.",
)
