// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "loader/validation/channel.h"
#include "loader/validation/device.h"
#include "loader/validation/messages.h"

namespace n6vp::validation {

/// Answers a client of the validation protocol, version 3.1: identification, models, inferences
/// with and without their nodes. A request always gets through: a client that left in the middle
/// of an inference does not block the next one.
class Server {
  public:
    struct Setup {
        Line line;
        Device device;
        std::uint8_t* buffer = nullptr;  ///< for the longest answer but its contents
        std::uint32_t buffer_bytes = 0;
        bool with_times = true;  ///< send install and init time of a model
    };
    explicit Server(const Setup& setup) : setup_(setup), channel_(setup.line) {}

    /// Returns when the line says that no more will come.
    void serve();

  private:
    void answer(const Incoming& request);
    void inform(const Incoming& request);
    void infer(const Incoming& request);
    [[nodiscard]] bool find(const char* name, Model& model);
    [[nodiscard]] bool receive_inputs(const Model& model, bool constant);
    [[nodiscard]] bool receive_input(const Tensor& tensor, bool constant, State state);
    /// Waits for the client's data (`sink`) or acknowledgement. Fails if it is not there any more.
    [[nodiscard]] bool await(bool data, const Sink& sink, Incoming& message);
    [[nodiscard]] bool await_ack();
    void log(const char* text);
    void log_configuration();
    void begin_node(const Node& node);
    void end_node(const Node& node);
    void send_outputs(const Model& model, bool with_data);
    [[nodiscard]] Writer start(State state);
    void send(const Writer& message, const std::uint8_t* tail = nullptr, std::uint32_t bytes = 0);
    void ack(State state, std::uint32_t parameter, Error error);

    Setup setup_;
    Channel channel_;
    Incoming pending_;  ///< a request that came in place of something else
    bool has_pending_ = false, closed_ = false;
    std::uint32_t request_ = 0, internal_ = 0;
    System system_;
};

}  // namespace n6vp::validation
