// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/core/ir/builder.h"
#include "models/core/isa/row.h"

// Build functions of the family's rows.
namespace n6vp::models::core::isa::control {

/// What a core without cache maintenance by hint, debug trace or speculation need not do.
void build_nothing(Builder& builder, const Fields& fields);
void build_undefined(Builder& builder, const Fields& fields);

// branches.cpp
void build_branch_conditional_narrow(Builder& builder, const Fields& fields);
void build_branch_narrow(Builder& builder, const Fields& fields);
void build_branch_conditional_wide(Builder& builder, const Fields& fields);
void build_branch_wide(Builder& builder, const Fields& fields);
void build_branch_with_link(Builder& builder, const Fields& fields);
void build_branch_exchange(Builder& builder, const Fields& fields);
void build_branch_link_exchange(Builder& builder, const Fields& fields);
void build_branch_non_secure(Builder& builder, const Fields& fields);
void build_branch_link_non_secure(Builder& builder, const Fields& fields);
template <bool IfZero>
void build_compare_and_branch(Builder& builder, const Fields& fields);
template <bool Halfwords>
void build_table_branch(Builder& builder, const Fields& fields);
void build_if_then(Builder& builder, const Fields& fields);
void build_do_loop_start(Builder& builder, const Fields& fields);
void build_do_loop_start_tail(Builder& builder, const Fields& fields);
void build_while_loop_start(Builder& builder, const Fields& fields);
void build_while_loop_start_tail(Builder& builder, const Fields& fields);
void build_loop_end(Builder& builder, const Fields& fields);
void build_loop_end_forever(Builder& builder, const Fields& fields);
void build_loop_end_tail(Builder& builder, const Fields& fields);
void build_loop_clear(Builder& builder, const Fields& fields);

// system.cpp
void build_supervisor_call(Builder& builder, const Fields& fields);
void build_breakpoint(Builder& builder, const Fields& fields);
void build_wait_for_event(Builder& builder, const Fields& fields);
void build_wait_for_interrupt(Builder& builder, const Fields& fields);
void build_send_event(Builder& builder, const Fields& fields);
void build_data_barrier(Builder& builder, const Fields& fields);
void build_instruction_barrier(Builder& builder, const Fields& fields);
void build_change_processor_state(Builder& builder, const Fields& fields);
void build_read_special(Builder& builder, const Fields& fields);
void build_write_special(Builder& builder, const Fields& fields);
template <bool Alternate, bool Unprivileged>
void build_test_target(Builder& builder, const Fields& fields);
void build_secure_gateway(Builder& builder, const Fields& fields);

}  // namespace n6vp::models::core::isa::control
