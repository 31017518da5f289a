#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes NAME.spvasm and NAME.cl for what an extension obliges SPIR-V environments to accept.

A row is a kernel, once with an instruction of SPIR-V, once with what means the same in OpenCL C;
intermediate.cpp runs both with the same buffers. After the OpenCL SPIR-V Environment Specification:
required capabilities, validation rules, and the section of each extension in features.def.

Usage: spirv_extensions.py NAME DIRECTORY ASSEMBLER, or --list
"""
import array
import subprocess
import sys

WORDS = {'i8': 'OpTypeInt 8 0', 'i16': 'OpTypeInt 16 0', 'i32': 'OpTypeInt 32 0',
         'i64': 'OpTypeInt 64 0', 'f16': 'OpTypeFloat 16', 'f32': 'OpTypeFloat 32',
         'f64': 'OpTypeFloat 64', 'bool': 'OpTypeBool'}
C_NAMES = {'i8': 'char', 'i16': 'short', 'i32': 'int', 'i64': 'long', 'f16': 'half',
           'f32': 'float', 'f64': 'double', 'bool': 'int'}
INTEGERS = ['i8', 'i16', 'i32', 'i64']
LARGE = ['i32', 'i64']
WIDTHS = ['', 'x2', 'x3', 'x4', 'x8', 'x16']
FORMS = [('Reduce', 'reduce'), ('InclusiveScan', 'scan_inclusive'),
         ('ExclusiveScan', 'scan_exclusive')]
BUILT_INS = {'i64x3': ['GlobalSize', 'GlobalInvocationId', 'WorkgroupSize', 'EnqueuedWorkgroupSize',
                       'LocalInvocationId', 'NumWorkgroups', 'WorkgroupId', 'GlobalOffset'],
             'i64': ['GlobalLinearId', 'LocalInvocationIndex'],
             'i32': ['WorkDim', 'SubgroupSize', 'SubgroupMaxSize', 'NumSubgroups',
                     'NumEnqueuedSubgroups', 'SubgroupId', 'SubgroupLocalInvocationId'],
             'i32x4': [f'Subgroup{name}Mask' for name in ('Eq', 'Ge', 'Gt', 'Le', 'Lt')]}


def base(kind):
    return kind.split('x')[0]


def c_name(kind, unsigned):
    name = C_NAMES[base(kind)] + kind[len(base(kind)):].replace('x', '')
    return 'u' + name if unsigned and base(kind) in INTEGERS else name


class Module:
    """Rows with the capabilities and extensions that they need."""

    def __init__(self, capabilities=(), extensions=(), version='1.3', decorations=(), types=(),
                 functions=(), modes=()):
        self.capabilities = {'Kernel', 'Addresses', 'Int8', 'Int16', 'Int64', 'Linkage',
                             'Vector16', *capabilities}
        self.extensions = extensions
        self.version = version
        self.decorations = decorations
        self.types = types
        self.functions = functions
        self.modes = modes
        self.rows = []
        self.kinds = {'i32', 'i64', 'i64x3', 'bool'}
        self.built_ins = {'GlobalInvocationId': 'i64x3'}

    def add(self, arguments, result, lines, expression, unsigned=False):
        """`lines` make %r of values %a0, %a1 … or of addresses %p0, %p1 …; `expression` is the
        same in OpenCL C, of a0, a1 … and p0, p1 …"""
        self.rows.append((arguments, result, lines, expression, unsigned))
        self.kinds |= set(arguments) | {result} | {base(k) for k in [*arguments, result]}

    def call(self, kind, instruction, function, arguments=(), operands='', c_operands='',
             result=None, unsigned=False):
        """An instruction with scope or not, then the arguments, then constants."""
        values = ' '.join(f'%a{i}' for i in range(len(arguments)))
        result = result or kind
        self.add(arguments, result, [f'%r = {instruction.format(type=result)} {values} {operands}'],
                 f"{function}({', '.join([f'a{i}' for i in range(len(arguments))] + [c_operands] * bool(c_operands))})",
                 unsigned)

    def assembly(self):
        kinds = self.kinds
        for kind in {base(kind) for kind in kinds} & {'f16', 'f64'}:
            self.capabilities.add({'f16': 'Float16', 'f64': 'Float64'}[kind])
        lines = [f'OpCapability {name}' for name in sorted(self.capabilities)]
        lines += [f'OpExtension "{name}"' for name in self.extensions]
        lines += ['%opencl = OpExtInstImport "OpenCL.std"', 'OpMemoryModel Physical64 OpenCL']
        inputs = ' '.join('%' + name for name in self.built_ins)
        lines += [f'OpEntryPoint Kernel %k{i} "k{i}" {inputs}' for i in range(len(self.rows))]
        lines += [f'OpExecutionMode {mode}' for mode in self.modes]
        for name in self.built_ins:
            lines += [f'OpDecorate %{name} BuiltIn {name}', f'OpDecorate %{name} Constant',
                      f'OpDecorate %{name} LinkageAttributes "__spirv_BuiltIn{name}" Import']
        lines += [*self.decorations, '%void = OpTypeVoid']
        lines += [f'%{kind} = {WORDS[kind]}' for kind in sorted(kinds) if 'x' not in kind]
        lines += [f"%{kind} = OpTypeVector %{base(kind)} {kind.split('x')[1]}"
                  for kind in sorted(kinds) if 'x' in kind]
        lines += [f'%c{number} = OpConstant %i32 {number}'
                  for number in (0, 1, 2, 3, 4, 5, 8, 16, 272)]
        lines += ['%long1 = OpConstant %i64 1', '%later = OpConstant %i64 1000000000000',
                  '%true = OpConstantTrue %bool', '%size0 = OpConstant %i64 0',
                  '%size111 = OpConstantComposite %i64x3 %long1 %size0 %size0']
        lines += [f'%p_{kind} = OpTypePointer CrossWorkgroup %{kind}'
                  for kind in sorted(kinds) if kind != 'bool']
        lines += self.types
        for kind in sorted({*self.built_ins.values()}):
            lines += [f'%in_{kind} = OpTypePointer Input %{kind}']
        lines += [f'%{name} = OpVariable %in_{kind} Input'
                  for name, kind in self.built_ins.items()]
        stored = [['i32' if kind == 'bool' else kind for kind in [result, *arguments]]
                  for arguments, result, *_ in self.rows]
        signatures = sorted({tuple(kinds) for kinds in stored})
        lines += [f"%f{i} = OpTypeFunction %void {' '.join('%p_' + kind for kind in signature)}"
                  for i, signature in enumerate(signatures)]
        lines += self.functions
        for number, (kinds, row) in enumerate(zip(stored, self.rows)):
            lines += self.kernel(number, kinds, signatures.index(tuple(kinds)), *row)
        return '\n'.join(lines) + '\n'

    @staticmethod
    def kernel(number, stored, signature, arguments, result, body, _expression, _unsigned):
        lines = [f'%k{number} = OpFunction %void None %f{signature}']
        names = ['out', *(f'q{i}' for i in range(len(arguments)))]
        lines += [f'%{name} = OpFunctionParameter %p_{kind}'
                  for name, kind in zip(names, stored)]
        lines += ['%entry = OpLabel', '%ids = OpLoad %i64x3 %GlobalInvocationId',
                  '%id = OpCompositeExtract %i64 %ids 0']
        for name, kind in zip(['to', *(f'p{i}' for i in range(len(arguments)))], stored):
            source = 'out' if name == 'to' else name.replace('p', 'q')
            lines += [f'%{name} = OpInBoundsPtrAccessChain %p_{kind} %{source} %id']
        for i, kind in enumerate(arguments):
            if kind == 'bool':
                lines += [f'%w{i} = OpLoad %i32 %p{i}', f'%v{i} = OpBitwiseAnd %i32 %w{i} %c1',
                          f'%a{i} = OpINotEqual %bool %v{i} %c0']
            else:
                lines += [f'%a{i} = OpLoad %{kind} %p{i}']
        lines += body
        if result == 'bool':
            lines += ['%number = OpSelect %i32 %r %c1 %c0', 'OpStore %to %number']
        else:
            lines += ['OpStore %to %r']
        lines += ['OpReturn', 'OpFunctionEnd']
        # Names are of one kernel each.
        shared = {'%void', '%true', '%later', '%long1', '%size111'}
        local = {word for line in lines for word in line.split('=')[0].split()
                 if ' = ' in line and word.startswith('%')} - shared
        return [' '.join(f'{word}_{number}' if word in local and word != f'%k{number}' else word
                         for word in line.split()) for line in lines]

    def source(self):
        text = ''
        if 'f16' in self.kinds:
            text += '#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n'
        for number, (arguments, result, _, expression, unsigned) in enumerate(self.rows):
            parameters = ', '.join([f'global {c_name(result, unsigned)} *out'] + [
                f'global {c_name(kind, unsigned)} *q{i}' for i, kind in enumerate(arguments)])
            text += f'kernel void k{number}({parameters}) {{\n    size_t id = get_global_id(0);\n'
            for i, kind in enumerate(arguments):
                name = c_name(kind, unsigned)
                text += f'    global {name} *p{i} = q{i} + id;\n'
                text += f"    {name} a{i} = *p{i}{' & 1' if kind == 'bool' else ''};\n"
            text += f'    out[id] = {expression};\n}}\n'
        return text


def operations(kind):
    """Operations of groups: SPIR-V's name, OpenCL C's, and whether the numbers are unsigned."""
    if kind[0] == 'f':
        return [('FAdd', 'add', False), ('FMin', 'min', False), ('FMax', 'max', False)]
    return [('IAdd', 'add', False), ('SMin', 'min', False), ('UMin', 'min', True),
            ('SMax', 'max', False), ('UMax', 'max', True)]


def products(kind):
    if kind[0] == 'f':
        return [('FMul', 'mul', False)]
    return [('IMul', 'mul', False), ('BitwiseAnd', 'and', False), ('BitwiseOr', 'or', False),
            ('BitwiseXor', 'xor', False)]


def atomics(kinds):
    module = Module(['Int64Atomics'])
    for kind in kinds:
        c_type = C_NAMES[kind]
        # Scope Device, all memory orders that each may have: none, acquire, release, both, one order.
        for semantics, order in ((0, 'relaxed'), (2, 'acquire'), (16, 'seq_cst')):
            module.add([kind], kind, [f'%r = OpAtomicLoad %{kind} %p0 %c1 %c{semantics}'],
                       f'atomic_load_explicit((global atomic_{c_type} *)p0, memory_order_{order})')
        for semantics, order in ((0, 'relaxed'), (4, 'release'), (16, 'seq_cst')):
            module.add([kind, kind], kind, [f'OpAtomicStore %p0 %c1 %c{semantics} %a1',
                                            f'%r = OpCopyObject %{kind} %a0'],
                       f'(atomic_store_explicit((global atomic_{c_type} *)p0, a1, '
                       f'memory_order_{order}), a0)')
        module.add([kind, kind], kind, [f'%r = OpAtomicExchange %{kind} %p0 %c1 %c8 %a1'],
                   f'atomic_exchange_explicit((global atomic_{c_type} *)p0, a1, '
                   'memory_order_acq_rel)')
        if kind[0] == 'f':
            continue
        for name, function, unsigned in (
                ('IAdd', 'add', 0), ('ISub', 'sub', 0), ('SMin', 'min', 0), ('UMin', 'min', 1),
                ('SMax', 'max', 0), ('UMax', 'max', 1), ('And', 'and', 0), ('Or', 'or', 0),
                ('Xor', 'xor', 0)):
            atomic = f"atomic_{'u' * unsigned}{c_type}"
            module.add([kind, kind], kind, [f'%r = OpAtomic{name} %{kind} %p0 %c1 %c8 %a1'],
                       f'atomic_fetch_{function}_explicit((global {atomic} *)p0, a1, '
                       'memory_order_acq_rel)', unsigned)
        for name, function in (('IIncrement', 'add'), ('IDecrement', 'sub')):
            module.add([kind], kind, [f'%r = OpAtomic{name} %{kind} %p0 %c1 %c8'],
                       f'atomic_fetch_{function}_explicit((global atomic_{c_type} *)p0, 1, '
                       'memory_order_acq_rel)')
        for expected in ('a0', 'a2'):
            for weak in ('', 'Weak') if kind == 'i32' else ('',):
                module.add([kind] * 3, kind,
                           [f'%r = OpAtomicCompareExchange{weak} %{kind} %p0 %c1 %c8 %c2 %a1 '
                            f'%{expected}'],
                           f"{'atomic' if kind == 'i32' else 'atom'}_cmpxchg(p0, {expected}, a1)")
    return module


def float_atomics(kinds):
    bits = [kind[1:] for kind in kinds]
    module = Module([f'AtomicFloat{n}{name}EXT' for n in bits for name in ('Add', 'MinMax')],
                    ['SPV_EXT_shader_atomic_float_min_max',
                     'SPV_EXT_shader_atomic_float' + '16' * (bits == ['16']) + '_add'],
                    types=[line for kind in kinds for line in (
                        f'%w_{kind} = OpTypePointer Workgroup %{kind}',
                        f'%shared_{kind} = OpVariable %w_{kind} Workgroup',
                        f'%g_{kind} = OpTypePointer Generic %{kind}',
                        f'%zero_{kind} = OpConstant %{kind} 0',
                        f'%one_{kind} = OpConstant %{kind} 1')])
    module.capabilities.add('GenericPointer')
    for kind in kinds:
        c_type = C_NAMES[kind]
        for name, function in (('Add', 'add'), ('Min', 'min'), ('Max', 'max')):
            for semantics, order in ((0, 'relaxed'), (2, 'acquire'), (4, 'release'), (8, 'acq_rel'),
                                     (272, 'seq_cst')):
                module.add([kind, kind], kind,
                           [f'%r = OpAtomicF{name}EXT %{kind} %p0 %c1 %c{semantics} %a1'],
                           f'atomic_fetch_{function}_explicit((global atomic_{c_type} *)p0, a1, '
                           f'memory_order_{order})')
            module.add([kind, kind], kind,
                       [f'%generic = OpPtrCastToGeneric %g_{kind} %p0',
                        f'%r = OpAtomicF{name}EXT %{kind} %generic %c1 %c0 %a1'],
                       f'atomic_fetch_{function}((global atomic_{c_type} *)p0, a1)')
            # In local memory, by all work-items of the group.
            start, operand, expected = (
                (f'%zero_{kind}', f'%one_{kind}', 'get_local_size(0)') if name == 'Add' else
                ('%a0', '%a0', f'work_group_reduce_{function}(a0)'))
            module.add([kind], kind,
                       [f'OpAtomicStore %shared_{kind} %c2 %c0 {start}',
                        'OpControlBarrier %c2 %c2 %c272',
                        f'%old = OpAtomicF{name}EXT %{kind} %shared_{kind} %c2 %c0 {operand}',
                        'OpControlBarrier %c2 %c2 %c272',
                        f'%r = OpAtomicLoad %{kind} %shared_{kind} %c2 %c0',
                        'OpControlBarrier %c2 %c2 %c272'], expected)
    return module


def flags():
    module = Module()
    module.add(['i32'], 'bool', ['OpAtomicStore %p0 %c1 %c0 %c0',
                                 '%before = OpAtomicFlagTestAndSet %bool %p0 %c1 %c8',
                                 '%r = OpAtomicFlagTestAndSet %bool %p0 %c1 %c8',
                                 'OpAtomicFlagClear %p0 %c1 %c4'], '(*p0 = 0, 1)')
    return module


def groups(kinds):
    module = Module(['Groups'])
    for kind in kinds:
        for scope, group, larger in ((2, 'work_group', True), (3, 'sub_group', False)):
            if larger and kind in ('i8', 'i16'):
                continue
            for name, function, unsigned in operations(kind):
                for form, prefix in FORMS:
                    module.call(kind, f'OpGroup{name} %{{type}} %c{scope} {form}',
                                f'{group}_{prefix}_{function}', [kind], unsigned=unsigned)
            module.call(kind, f'OpGroupBroadcast %{{type}} %c{scope}', f'{group}_broadcast', [kind],
                        '%long1', '1')
        for width in WIDTHS[1:]:
            module.call(kind + width, 'OpGroupBroadcast %{type} %c3', 'sub_group_broadcast',
                        [kind + width], '%c1', '1')
    for scope, group in ((2, 'work_group'), (3, 'sub_group')):
        for name in ('All', 'Any'):
            module.call('bool', f'OpGroup{name} %{{type}} %c{scope}', f'{group}_{name.lower()}',
                        ['bool'])
    if 'i32' in kinds:
        module.call('i32', 'OpGroupBroadcast %{type} %c2', 'work_group_broadcast', ['i32'],
                    '%size111', '1, 0, 0')
    return module


def uniform(kinds):
    module = Module(['Groups', 'GroupUniformArithmeticKHR'], ['SPV_KHR_uniform_group_instructions'])
    for form, prefix in FORMS:
        for kind in kinds:
            for name, function, unsigned in products(kind):
                module.call(kind, f'OpGroup{name}KHR %{{type}} %c2 {form}',
                            f'work_group_{prefix}_{function}', [kind], unsigned=unsigned)
        for name in ('And', 'Or', 'Xor'):
            module.call('bool', f'OpGroupLogical{name}KHR %{{type}} %c2 {form}',
                        f'work_group_{prefix}_logical_{name.lower()}', ['bool'])
    return module


def non_uniform(kinds):
    module = Module(['GroupNonUniform' + part for part in (
        '', 'Vote', 'Ballot', 'Arithmetic', 'Shuffle', 'ShuffleRelative', 'Clustered',
        'RotateKHR')], ['SPV_KHR_subgroup_rotate'])
    instruction = 'OpGroupNonUniform{} %{{type}} %c3 {}'.format
    for kind in kinds:
        module.call(kind, instruction('AllEqual', ''), 'sub_group_non_uniform_all_equal', [kind],
                    result='bool')
        for width in WIDTHS:
            module.call(kind + width, instruction('Broadcast', ''), 'sub_group_non_uniform_broadcast',
                        [kind + width], '%c1', '1')
        for name, function in (('BroadcastFirst', 'broadcast_first'), ('Shuffle', 'shuffle'),
                               ('ShuffleXor', 'shuffle_xor'), ('ShuffleUp', 'shuffle_up'),
                               ('ShuffleDown', 'shuffle_down'), ('RotateKHR', 'rotate')):
            constant = name != 'BroadcastFirst'
            module.call(kind, instruction(name, ''), f'sub_group_{function}', [kind],
                        '%c1' * constant, '1' * constant)
        module.call(kind, instruction('RotateKHR', ''), 'sub_group_clustered_rotate', [kind],
                    '%c1 %c4', '1, 4')
        for name, function, unsigned in operations(kind) + products(kind):
            for form, prefix in FORMS:
                module.call(kind, instruction(name, form),
                            f'sub_group_non_uniform_{prefix}_{function}', [kind], unsigned=unsigned)
            module.call(kind, instruction(name, 'ClusteredReduce'),
                        f'sub_group_clustered_reduce_{function}', [kind], '%c4', '4',
                        unsigned=unsigned)
    return module


def votes():
    module = Module(['GroupNonUniform' + part for part in (
        '', 'Vote', 'Ballot', 'Arithmetic', 'Clustered')])
    instruction = 'OpGroupNonUniform{} %{{type}} %c3 {}'.format
    module.call('bool', instruction('Elect', ''), 'sub_group_elect')
    for name in ('All', 'Any'):
        module.call('bool', instruction(name, ''), f'sub_group_non_uniform_{name.lower()}', ['bool'])
    for name in ('And', 'Or', 'Xor'):
        for form, prefix in FORMS:
            module.call('bool', instruction('Logical' + name, form),
                        f'sub_group_non_uniform_{prefix}_logical_{name.lower()}', ['bool'])
        module.call('bool', instruction('Logical' + name, 'ClusteredReduce'),
                    f'sub_group_clustered_reduce_logical_{name.lower()}', ['bool'], '%c4', '4')
    module.call('i32x4', instruction('Ballot', ''), 'sub_group_ballot', ['bool'],
                unsigned=True)
    module.call('bool', instruction('InverseBallot', ''), 'sub_group_inverse_ballot', ['i32x4'],
                unsigned=True)
    module.call('bool', instruction('BallotBitExtract', ''), 'sub_group_ballot_bit_extract',
                ['i32x4'], '%c1', '1', unsigned=True)
    for form, function in (('Reduce', 'bit_count'), ('InclusiveScan', 'inclusive_scan'),
                           ('ExclusiveScan', 'exclusive_scan')):
        module.call('i32', instruction('BallotBitCount', form), f'sub_group_ballot_{function}',
                    ['i32x4'], unsigned=True)
    for name in ('LSB', 'MSB'):
        module.call('i32', instruction('BallotFind' + name, ''),
                    f'sub_group_ballot_find_{name.lower()}', ['i32x4'], unsigned=True)
    return module


def built_ins():
    module = Module(['GroupNonUniformBallot'])
    functions = {'WorkDim': 'get_work_dim()', 'SubgroupSize': 'get_sub_group_size()',
                 'SubgroupMaxSize': 'get_max_sub_group_size()',
                 'NumSubgroups': 'get_num_sub_groups()',
                 'NumEnqueuedSubgroups': 'get_enqueued_num_sub_groups()',
                 'SubgroupId': 'get_sub_group_id()',
                 'SubgroupLocalInvocationId': 'get_sub_group_local_id()',
                 'GlobalLinearId': 'get_global_linear_id()',
                 'LocalInvocationIndex': 'get_local_linear_id()',
                 'GlobalSize': 'get_global_size', 'GlobalInvocationId': 'get_global_id',
                 'WorkgroupSize': 'get_local_size',
                 'EnqueuedWorkgroupSize': 'get_enqueued_local_size',
                 'LocalInvocationId': 'get_local_id', 'NumWorkgroups': 'get_num_groups',
                 'WorkgroupId': 'get_group_id', 'GlobalOffset': 'get_global_offset'}
    for kind, names in BUILT_INS.items():
        for name in names:
            module.built_ins[name] = kind
            function = functions.get(name)
            if kind == 'i32x4':
                function = f'get_sub_group_{name[8:10].lower()}_mask()'
            elif kind == 'i64x3':
                for i in range(3):
                    module.add([], 'i64', [f'%all = OpLoad %i64x3 %{name}',
                                           f'%r = OpCompositeExtract %i64 %all {i}'],
                               f'{function}({i})', unsigned=True)
                continue
            module.add([], kind, [f'%r = OpLoad %{kind} %{name}'], function, unsigned=True)
    return module


def sub_group_sizes():
    module = Module(['SubgroupDispatch'], modes=['%k0 SubgroupSize 8', '%k1 SubgroupSize 4',
                                                 '%k2 SubgroupSize 8', '%k2 SubgroupsPerWorkgroup 3'])
    for name, number in (('SubgroupMaxSize', 8), ('SubgroupMaxSize', 4), ('NumSubgroups', 3)):
        module.built_ins[name] = 'i32'
        module.add([], 'i32', [f'%r = OpLoad %i32 %{name}'], str(number))
    return module


def bits():
    module = Module(['BitInstructions'], ['SPV_KHR_bit_instructions'])
    for kind in INTEGERS:
        for width in WIDTHS:
            if width == 'x3':  # what a store leaves behind the third component is undefined
                continue
            vector = kind + width
            module.call(vector, 'OpBitFieldInsert %{type}', 'bitfield_insert', [vector] * 2,
                        '%c3 %c5', '3, 5')
            for name, function in (('S', 'signed'), ('U', 'unsigned')):
                module.call(vector, f'OpBitField{name}Extract %{{type}}',
                            f'bitfield_extract_{function}', [vector], '%c3 %c5', '3, 5',
                            unsigned=name == 'U')
            module.call(vector, 'OpBitReverse %{type}', 'bit_reverse', [vector])
            module.call(vector, 'OpBitCount %{type}', 'popcount', [vector])
    return module


def dot_products():
    module = Module(['DotProductKHR', 'DotProductInput4x8BitKHR', 'DotProductInput4x8BitPackedKHR'],
                    ['SPV_KHR_integer_dot_product'])
    for name, first, second in (('S', 'char4', 'char4'), ('U', 'uchar4', 'uchar4'),
                                ('SU', 'char4', 'uchar4')):
        for kind in ('i16', 'i32', 'i64'):
            result = c_name(kind, name == 'U')
            for arguments, packing in ((['i8x4'] * 2, ''),
                                       (['i32'] * 2, 'PackedVectorFormat4x8BitKHR')):
                product = f'({result})dot(as_{first}(a0), as_{second}(a1))'
                module.add(arguments, kind, [f'%r = Op{name}DotKHR %{kind} %a0 %a1 {packing}'],
                           f"{'(short)' if kind == 'i16' else ''}{product}")
                module.add([*arguments, kind], kind,
                           [f'%r = Op{name}DotAccSatKHR %{kind} %a0 %a1 %a2 {packing}'],
                           f'add_sat({product}, ({result})a2)')
    return module


def clocks():
    module = Module(['ShaderClockKHR'], ['SPV_KHR_shader_clock'])
    for scope in (1, 2, 3):
        for kind in ('i64', 'i32x2'):
            lines = []
            for name in ('first', 'second'):
                lines += [f'%{name}_{kind} = OpReadClockKHR %{kind} %c{scope}',
                          f"%{name} = Op{'CopyObject' if kind == 'i64' else 'Bitcast'} %i64 "
                          f'%{name}_{kind}']
            lines += ['%passed = OpISub %i64 %second %first',
                      '%r = OpULessThan %bool %passed %later']
            module.add([], 'bool', lines, '1')
    module.kinds.add('i32x2')
    return module


def composites():
    """Structures, arrays and vectors of values that only the kernel knows."""
    module = Module(version='1.4', types=[
        '%pair = OpTypeStruct %i32 %i64', '%outer = OpTypeStruct %i32 %pair',
        '%list = OpTypeArray %i32 %c4', '%lists = OpTypeArray %list %c2',
        '%couple = OpTypeArray %i32 %c2', '%inner_a = OpTypeStruct %i32 %couple',
        '%inner_b = OpTypeStruct %i32 %couple', '%from = OpTypeStruct %i32 %inner_a',
        '%to_s = OpTypeStruct %i32 %inner_b', '%p_from = OpTypePointer CrossWorkgroup %from',
        '%of_vector = OpTypeStruct %i32x2 %i32x2'])
    module.add(['i32', 'i64'], 'i64', ['%s = OpCompositeConstruct %pair %a0 %a1',
                                       '%r = OpCompositeExtract %i64 %s 1'], 'a1')
    module.add(['i32', 'i64'], 'i32', ['%s = OpCompositeConstruct %pair %a0 %a1',
                                       '%o = OpCompositeConstruct %outer %c5 %s',
                                       '%x = OpCompositeExtract %i32 %o 1 0',
                                       '%y = OpCompositeExtract %i32 %o 0',
                                       '%r = OpIAdd %i32 %x %y'], 'a0 + 5')
    module.add(['i32', 'i32'], 'i32', ['%s = OpCompositeConstruct %list %a0 %c3 %a1 %a0',
                                       '%o = OpCompositeConstruct %lists %s %s',
                                       '%x = OpCompositeExtract %i32 %o 1 2',
                                       '%y = OpCompositeExtract %i32 %o 0 1',
                                       '%r = OpISub %i32 %x %y'], 'a1 - 3')
    module.add(['i32x2', 'i32'], 'i32x4', ['%r = OpCompositeConstruct %i32x4 %a0 %a1 %a1'],
               '(int4)(a0, a1, a1)')
    module.add(['i32', 'i32x2'], 'i32x4', ['%r = OpCompositeConstruct %i32x4 %a0 %a1 %c4'],
               '(int4)(a0, a1, 4)')
    module.add(['i32x8', 'i32x4'], 'i32x16', ['%r = OpCompositeConstruct %i32x16 %a1 %a0 %a1'],
               '(int16)(a1, a0, a1)')
    module.add(['i32x2'], 'i32x2', ['%s = OpCompositeConstruct %of_vector %a0 %a0',
                                    '%r = OpCompositeExtract %i32x2 %s 1'], 'a0')
    # Loaded, so that no constant helps.
    module.add(['i32x4'], 'i32', ['%q = OpBitcast %p_from %p0', '%l = OpLoad %from %q Aligned 4',
                                  '%s = OpCopyLogical %to_s %l',
                                  '%x = OpCompositeExtract %i32 %s 1 1 1',
                                  '%y = OpCompositeExtract %i32 %s 0',
                                  '%r = OpISub %i32 %x %y'], 'a0.w - a0.x')
    for first, second, pattern, source in (
            ('i32x2', 'i32x4', '0 5 1 3', '(int4)(a0.x, a1.w, a0.y, a1.y)'),
            ('i32x4', 'i32x2', '5 4 3 2', '(int4)(a1.y, a1.x, a0.w, a0.z)'),
            ('i32x8', 'i32x2', '7 8 9 0', '(int4)(a0.s7, a1.xy, a0.s0)')):
        module.add([first, second], 'i32x4',
                   [f'%r = OpVectorShuffle %i32x4 %a0 %a1 {pattern}'], source)
    return module


def wide_arithmetic():
    kinds = [kind + width for kind in INTEGERS for width in ('', 'x2', 'x4', 'x16')]
    module = Module(types=[f'%both_{kind} = OpTypeStruct %{kind} %{kind}' for kind in kinds])
    for kind in kinds:
        for name, unsigned, low, high in (
                ('IAddCarry', True, 'a0 + a1', '({0})(a0 + a1) < a0'),
                ('ISubBorrow', True, 'a0 - a1', 'a0 < a1'),
                ('UMulExtended', True, 'a0 * a1', None),
                ('SMulExtended', False, 'a0 * a1', None)):
            c_type = c_name(kind, unsigned)
            if high is None:
                high = 'mul_hi(a0, a1)'
            elif 'x' in kind:
                high = f'as_{c_type}({high.format(c_type)}) & ({c_type})1'
            else:
                high = high.format(c_type)
            for part, expression in enumerate((low, high)):
                module.add([kind, kind], kind, [f'%both = Op{name} %both_{kind} %a0 %a1',
                                                f'%r = OpCompositeExtract %{kind} %both {part}'],
                           expression, unsigned)
    return module


def sizes():
    kinds = ['i8', 'i16', 'i32', 'i64', 'f32', 'i32x2', 'i32x3', 'i8x16', 'i64x16']
    module = Module(version='1.6', types=['%padded = OpTypeStruct %i8 %i64 %i16',
                                          '%p_padded = OpTypePointer CrossWorkgroup %padded'])
    for kind in kinds:
        for result in LARGE:
            module.add([kind], result, [f'%r = OpSizeOf %{result} %p0'], 'sizeof a0')
    module.add(['i32'], 'i32', ['%q = OpBitcast %p_padded %p0', '%r = OpSizeOf %i32 %q'], '24')
    return module


def quantized():
    module = Module(types=['%large = OpConstant %f32 1e12', '%tiny = OpConstant %f32 1e-3'])
    for scale, factor in (('', ''), ('large', ' * 1e12f'), ('tiny', ' * 1e-3f')):
        for width in ('', 'x2', 'x4'):
            kind = 'f32' + width
            count = width.replace('x', '')
            c_type = 'float' + count
            lines = ['%x = OpCopyObject %' + kind + ' %a0']
            if scale:
                operands = [f'%{scale}'] * int(count or 1)
                lines = [f'%scale = OpCompositeConstruct %{kind} {" ".join(operands)}' if count
                         else f'%scale = OpCopyObject %f32 %{scale}',
                         f'%x = OpFMul %{kind} %a0 %scale']
            x = f'a0{factor}'
            module.add([kind], kind, [*lines, f'%r = OpQuantizeToF16 %{kind} %x'],
                       f'({{ ushort{count} h; vstore_half{count}_rte({x}, 0, (half *)&h); '
                       f'{c_type} y = vload_half{count}(0, (half *)&h); '
                       f'fabs({x}) < ({c_type})0x1p-14f ? copysign(({c_type})0, {x}) : y; }})')
    return module


def generic_pointers():
    module = Module(['GenericPointer'], types=[
        '%g_i32 = OpTypePointer Generic %i32', '%w_i32 = OpTypePointer Workgroup %i32',
        '%shared = OpVariable %w_i32 Workgroup'])
    for source, semantics in (('%p0', 0x200), ('%shared', 0x100)):
        module.add(['i32'], 'i32', [f'%generic = OpPtrCastToGeneric %g_i32 {source}',
                                    '%r = OpGenericPtrMemSemantics %i32 %generic'], f'{semantics}')
    return module


def expectations():
    module = Module(['ExpectAssumeKHR'], ['SPV_KHR_expect_assume'])
    for kind in INTEGERS:
        for width in WIDTHS:
            if width == 'x3':
                continue
            module.add([kind + width], kind + width,
                       [f'%r = OpExpectKHR %{kind + width} %a0 %a0'], 'a0')
    module.add(['bool'], 'bool', ['%r = OpExpectKHR %bool %a0 %true'], 'a0')
    module.add(['i32'], 'i32', ['%plausible = OpINotEqual %bool %a0 %c0',
                                'OpAssumeTrueKHR %plausible',
                                '%r = OpIMul %i32 %a0 %c3'], 'a0 * 3')
    return module


def halves_in_memory():
    module = Module(['Float16Buffer'], types=['%half = OpTypeFloat 16',
                                              '%p_half = OpTypePointer CrossWorkgroup %half'])
    module.add(['i16'], 'f32', ['%h = OpBitcast %p_half %p0',
                                '%r = OpExtInst %f32 %opencl vload_half %size0 %h'],
               'vload_half(0, (global half *)p0)')
    module.add(['i16', 'f32'], 'i16', ['%h = OpBitcast %p_half %p0',
                                       '%none = OpExtInst %void %opencl vstore_half %a1 %size0 %h',
                                       '%r = OpLoad %i16 %p0'],
               '(vstore_half(a1, 0, (global half *)p0), *p0)')
    return module


def decorations():
    """Names of results end with the number of their kernel."""
    module = Module(['UniformDecoration'], ['SPV_KHR_no_integer_wrap_decoration'], '1.6',
                    ['OpDecorate %same_0 Uniform', 'OpDecorateId %same_1 UniformId %c3',
                     *(f'OpDecorate %r_{i} No{sign}Wrap' for i in range(2, 6)
                       for sign in ('Signed', 'Unsigned'))])
    for _ in range(2):
        module.add(['i32'], 'i32', ['%same = OpIAdd %i32 %c3 %c5', '%r = OpIAdd %i32 %a0 %same'],
                   'a0 + 8')
    for operation, sign in (('IAdd', '+'), ('ISub', '-'), ('IMul', '*'),
                            ('ShiftLeftLogical', '<<')):
        # Numbers that are too small to wrap.
        module.add(['i32'], 'i32', ['%few = OpBitwiseAnd %i32 %a0 %c3',
                                    '%more = OpBitwiseOr %i32 %few %c4',
                                    f'%r = Op{operation} %i32 %more %few'],
                   f'(a0 & 3 | 4) {sign} (a0 & 3)')
    return module


def fused():
    """Assemblers of before 2026 don't know the instruction; see OLD_NAMES."""
    module = Module(['!6030'], ['SPV_KHR_fma'])
    for kind in ['f32', 'f32x2', 'f32x4', 'f32x8', 'f32x16']:
        module.add([kind] * 3, kind, [f'%r = OpSDotAccSat %{kind} %a0 %a1 %a2'], 'fma(a0, a1, a2)')
    return module


def linked_once():
    module = Module(extensions=['SPV_KHR_linkonce_odr'],
                    decorations=['OpDecorate %twice LinkageAttributes "twice" LinkOnceODR'],
                    types=['%unary = OpTypeFunction %i32 %i32'],
                    functions=['%twice = OpFunction %i32 None %unary',
                               '%x = OpFunctionParameter %i32', '%begin = OpLabel',
                               '%sum = OpIAdd %i32 %x %x', 'OpReturnValue %sum', 'OpFunctionEnd'])
    module.add(['i32'], 'i32', ['%r = OpFunctionCall %i32 %twice %a0'], '2 * a0')
    return module


def intel_sub_groups():
    module = Module(['SubgroupShuffleINTEL', 'SubgroupBufferBlockIOINTEL'], ['SPV_INTEL_subgroups'])
    for kind in ['i32', 'i64', 'f32', 'i32x4']:
        module.call(kind, 'OpSubgroupShuffleINTEL %{type}', 'intel_sub_group_shuffle', [kind],
                    '%c1', '1')
        module.call(kind, 'OpSubgroupShuffleXorINTEL %{type}', 'intel_sub_group_shuffle_xor',
                    [kind], '%c1', '1')
        for way in ('Up', 'Down'):
            module.call(kind, f'OpSubgroupShuffle{way}INTEL %{{type}}',
                        f'intel_sub_group_shuffle_{way.lower()}', [kind, kind], '%c1', '1')
    for width in ('', 'x2', 'x4', 'x8'):
        kind = 'i32' + width
        count = width.replace('x', '')
        module.add([kind], kind, [f'%q = OpBitcast %p_i32 %q0',
                                  f'%r = OpSubgroupBlockReadINTEL %{kind} %q'],
                   f'intel_sub_group_block_read{count}((global uint *)q0)', True)
    return module


# By module: first words that are assembled in place of those of newer instructions with equal operands.
OLD_NAMES = {'fused': {6 << 16 | 4453: 6 << 16 | 4427}}  # OpSDotAccSat: OpFmaKHR


def rename(file, names):
    with open(file, 'r+b') as module:
        words = array.array('I', module.read())
        at = 5
        while at < len(words):
            words[at] = names.get(words[at], words[at])
            at += words[at] >> 16
        module.seek(0)
        module.write(words.tobytes())


MODULES = {
    'atomics': lambda: atomics([*LARGE, 'f32']),
    'atomics_half': lambda: atomics(['f16']),
    'atomics_double': lambda: atomics(['f64']),
    'float_atomics': lambda: float_atomics(['f32']),
    'float_atomics_half': lambda: float_atomics(['f16']),
    'float_atomics_double': lambda: float_atomics(['f64']),
    'flags': flags,
    'groups': lambda: groups([*INTEGERS, 'f32']),
    'groups_half': lambda: groups(['f16']),
    'groups_double': lambda: groups(['f64']),
    'uniform': lambda: uniform([*LARGE, 'f32']),
    'uniform_half': lambda: uniform(['f16']),
    'uniform_double': lambda: uniform(['f64']),
    'non_uniform_bytes': lambda: non_uniform(['i8', 'i16']),
    'non_uniform': lambda: non_uniform([*LARGE, 'f32']),
    'non_uniform_half': lambda: non_uniform(['f16']),
    'non_uniform_double': lambda: non_uniform(['f64']),
    'votes': votes,
    'built_ins': built_ins,
    'sub_group_sizes': sub_group_sizes,
    'bits': bits,
    'dot_products': dot_products,
    'clocks': clocks,
    'composites': composites,
    'wide_arithmetic': wide_arithmetic,
    'sizes': sizes,
    'quantized': quantized,
    'generic_pointers': generic_pointers,
    'expectations': expectations,
    'halves_in_memory': halves_in_memory,
    'decorations': decorations,
    'fused': fused,
    'linked_once': linked_once,
    'intel_sub_groups': intel_sub_groups,
}


def main():
    if sys.argv[1] == '--list':
        print(';'.join(MODULES))
        return
    name, directory, assembler = sys.argv[1:]
    module = MODULES[name]()
    for suffix, text in (('spvasm', module.assembly()), ('cl', module.source())):
        with open(f'{directory}/{name}.{suffix}', 'w', encoding='utf-8') as file:
            file.write(text)
    subprocess.run([assembler, '--target-env', f'spv{module.version}', '-o',
                    f'{directory}/{name}.spv', f'{directory}/{name}.spvasm'], check=True)
    if name in OLD_NAMES:
        rename(f'{directory}/{name}.spv', OLD_NAMES[name])


main()
