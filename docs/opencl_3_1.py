# SPDX-License-Identifier: Apache-2.0
"""What OpenCL 3.1 changes, line by line of its documents' summaries of changes, and the tests of it.

A row is (change, tests); instead of tests there may be a text that says why none is needed. The
titles are those of the documents. docs/conformance.py writes the rows into docs/conformance.md.
"""
SELF_CHECK = "SelfCheck.FunctionsDoWhatTheSpecificationSays"
PROMOTED = "compiler/test/opencl_c_3_1.cl"
SHUFFLES = [PROMOTED, "SubGroups.FunctionsOfLong", "SubGroups.FunctionsOfHalf"]
COMPLETE = "Versions.ThreePointOneIsComplete"
NAMES = "Versions.NamesOfThreePointOneAreThoseOfExtensions"
CLARIFIED = "a clarification; "

CHANGES = {
    "API, appendix E": [
        ("OpenCL C 3.1; `CL_DEVICE_OPENCL_C_ALL_VERSIONS` has 3.1, 3.0, 1.2, 1.1 and 1.0",
         ["Versions.EveryLanguageVersionThatIsNamedBuilds", COMPLETE]),
        ("SPIR-V 1.0 to 1.4", [COMPLETE]),
        ("sub-groups are required", [COMPLETE, "SubGroupKernels.AnswerQueries"]),
        ("inclusive scopes may differ", ["MemoryModel.ScopesOfWhatSynchronisesMayDiffer"]),
        ("`CL_DEVICE_HOST_UNIFIED_MEMORY` is no longer deprecated", [NAMES]),
        ("seeing that an event is `CL_COMPLETE` synchronises", "taken back in 3.1.1"),
        ("arguments in local memory may have size 0",
         ["LocalMemory.ArgumentsMayHaveSizeZeroSinceThreePointOne"]),
        ("`CL_DEVICE_MAX_WORK_GROUP_SIZES` replaces `CL_DEVICE_MAX_WORK_ITEM_SIZES`", [NAMES]),
        ("errors of `clSetKernelExecInfo`",
         ["SharedErrors.OfKernelArguments", "SharedErrorsWithoutSvm.AreInvalidOperations"]),
        ("error codes are documented consistently", "`docs/error_coverage.py` has all of them"),
        ("errors of `clCompileProgram` and `clLinkProgram`",
         ["ProgramErrors.InCompiling", "ProgramErrors.InLinking"]),
        ("description of sub-group functions", CLARIFIED + "`SubGroups.*` test them"),
        ("description of `clSetKernelArg`", ["Errors.OfKernelArguments", "ImageErrors.InQueries"]),
        ("description of atomic operations", [SELF_CHECK]),
        ("descriptions of custom devices", "no device is one"),
        ("error of `clEnqueueNDRangeKernel` for a local size of 0", ["LaunchErrors.InNDRanges"]),
        ("cl_khr_command_buffer_mutable_dispatch",
         ["MutableCommands.UpdatedArgumentsStayAndLeaveTheKernelsAlone",
          "MutableCommands.SizesChangeAndAreTold",
          "MutableCommands.ArgumentsMayBeSetAfterRecording",
          "MutableCommands.AnUpdateLeavesWhatIsEnqueuedAlone",
          "MutableCommandErrors.OfUpdates"]),
        ("cl_ext_buffer_device_address",
         ["DeviceAddresses.KernelsFollowAddressesInMemory",
          "DeviceAddresses.ArgumentsMayPointIntoABuffer",
          "SeveralDevicesAddresses.AreOfTheirOwn",
          "Errors.OfBuffers"]),
        ("cl_khr_external_memory_android_hardware_buffer", "not offered"),
        ("cl_khr_unified_svm", "experimental, not offered (docs/not-supported.md)"),
        ("removes the Extension Specification", "editorial"),
        ("cl_khr_device_uuid is core", [NAMES]),
        ("cl_khr_extended_bit_ops is core", [PROMOTED, SELF_CHECK]),
        ("cl_khr_integer_dot_product is core", [PROMOTED, SELF_CHECK, NAMES]),
        ("cl_khr_spirv_queries is core", [COMPLETE]),
        ("cl_khr_subgroup_extended_types, …_rotate, …_shuffle and …_shuffle_relative are core",
         SHUFFLES),
        ("cl_khr_suggested_local_work_size is core",
         ["Results.SuggestedLocalSizesAreWhatLaunchesTake", "LaunchErrors.InSuggestedLocalSizes"]),
    ],
    "OpenCL C, appendix A": [
        ("`-cl-std=CL3.1`, `__OPENCL_C_VERSION__`, `CL_VERSION_3_1`",
         ["compiler/test/macros.cl", PROMOTED]),
        ("length modifiers z and t of printf", ["Printf.PrintsSizesAndDifferences"]),
        ("references to SPIR-V, fmin of half, attribute qualifiers, cluster sizes, half vectors",
         "editorial"),
        ("saturated conversions of NaN give 0", ["Conversions.intIsExactOnDevice"]),
        ("`any` and `all` look at the most significant bit", [SELF_CHECK]),
        ("extended_bit_ops, integer_dot_product, subgroup_extended_types, …_rotate, …_shuffle and "
         "…_shuffle_relative without their extensions", [PROMOTED]),
        ("versions in the text are those of the language, not of the device", "editorial"),
    ],
    "SPIR-V environment, appendix A": [
        ("SPIR-V 1.0 to 1.4", [COMPLETE]),
        ("length modifiers z and t of printf", ["Intermediate.KernelsPrintWithSeveralFormats"]),
        ("image operands of OpImageWrite", ["Intermediate.KernelsTakeImagesOfAllKinds"]),
        ("extended_bit_ops, integer_dot_product, subgroup_extended_types, …_rotate, …_shuffle and "
         "…_shuffle_relative", "`Instructions.DoAsOpenCLCDoes` runs a module of each"),
        ("header of the table of image data types", "editorial"),
    ],
}


def rows():
    for title, changes in CHANGES.items():
        for change, tests in changes:
            shown = tests if isinstance(tests, str) else ", ".join(f"`{test}`" for test in tests)
            yield f"| {title} | {change} | {shown} |"


def all_tests():
    return {test for changes in CHANGES.values() for _, tests in changes
            if not isinstance(tests, str) for test in tests}
