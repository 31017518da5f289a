// SPDX-License-Identifier: Apache-2.0
//
// rivulet sign: keys, and signatures of firmware and kernel images for boards that require them.
#include <string>

#include "base/build_version.h"
#include "base/read_file.h"
#include "tools/flash/kernel_file.h"
#include "tools/flash/program.h"
#include "tools/flash/slots.h"
#include "tools/flash/write.h"

namespace rivulet::flash {
namespace {

struct Options {
    std::string new_key, key, check, output;
    WantedNumbers numbers;
    std::vector<std::string> files;
};

/// The bytes covered by a file's signature, and the kind of file.
struct Message {
    Bytes bytes;
    const char *kind;
    std::optional<Numbers> numbers; // for firmware
};

std::string numbers_text(const Message &message) {
    return message.numbers ? text({", number ", message.numbers->sequence, ", security version ",
                                   message.numbers->security_version})
                           : "";
}

/// The description for --json.
Json describe(const std::string &path, const Message &message) {
    Json object = {{"file", path}, {"kind", message.kind}, {"bytes", message.bytes.size()}};
    if (message.numbers) {
        object["number"] = message.numbers->sequence;
        object["security_version"] = message.numbers->security_version;
    }
    return object;
}

/// Firmware keeps the numbers of its previous signature unless others are requested.
Numbers choose_numbers(const rvl_firmware_note &note, const std::optional<Numbers> &before,
                       const WantedNumbers &wanted) {
    Numbers numbers{new_sequence(wanted), note.security_version};
    if (before) {
        numbers.sequence = wanted.sequence.value_or(before->sequence);
        numbers.security_version = before->security_version;
    }
    numbers.security_version = wanted.security_version.value_or(numbers.security_version);
    return numbers;
}

Result<Message> message_of(View file, const std::string &path, const WantedNumbers &wanted) {
    const auto plain = without_trailer(file);
    if (is_kernel_image(plain)) {
        const auto code = kernel_code(plain, path);
        if (!code)
            return std::unexpected(code.error());
        return Message{kernel_message(*code), "kernel image", std::nullopt};
    }
    const auto firmware = hal::parse_firmware(plain, path);
    if (!firmware)
        return fail(RVL_INVALID,
                    {path, " is neither a kernel image nor firmware: ", firmware.error().message});
    const auto flat = flatten(*firmware);
    if (!flat)
        return std::unexpected(flat.error());
    const auto trailer = find_trailer(file);
    const auto numbers =
        choose_numbers(firmware->note, trailer ? numbers_of(*trailer) : std::nullopt, wanted);
    return Message{signed_message(statement_of(*firmware, *flat, numbers), flat->bytes), "firmware",
                   numbers};
}

Result<> sign(const SigningKey &key, const std::string &path, const std::string &output,
              const WantedNumbers &wanted) {
    const auto file = read_file(path);
    if (!file)
        return std::unexpected(file.error());
    const auto message = message_of(*file, path, wanted);
    if (!message)
        return std::unexpected(message.error());
    const auto signature = key.sign(message->bytes);
    if (!signature)
        return std::unexpected(signature.error());
    if (auto done =
            write_file(output, with_trailer(*file, *signature, key.public_key(), message->numbers));
        !done)
        return done;
    tell_more("signed",
              text({output, ": signed ", message->kind, ", ", message->bytes.size(), " bytes",
                    numbers_text(*message)}),
              describe(output, *message));
    return {};
}

Result<> check(const PublicKey &key, const std::string &path) {
    const auto file = read_file(path);
    if (!file)
        return std::unexpected(file.error());
    const auto message = message_of(*file, path, {});
    if (!message)
        return std::unexpected(message.error());
    const auto trailer = find_trailer(*file);
    if (!trailer)
        return fail(RVL_INVALID, {path, " is not signed"});
    if (message->numbers && !numbers_of(*trailer))
        return fail(RVL_INVALID,
                    {path, " was signed by an older release, whose signature covers neither "
                           "sequence nor security version: sign it again"});
    Signature signature;
    std::ranges::copy(std::as_bytes(std::span(trailer->signature)), signature.begin());
    if (!is_signed(key, signature, message->bytes))
        return fail(RVL_INVALID,
                    {path, " is not signed with this key, or was modified after signing"});
    tell_more("checked", text({path, ": signed ", message->kind, numbers_text(*message)}),
              describe(path, *message));
    return {};
}

Result<> run(const Options &options) {
    if (!options.new_key.empty()) {
        auto made = SigningKey::create(options.new_key);
        if (!made)
            return made;
        const std::string open = options.new_key + ".pub";
        tell_more("keys", options.new_key + ": the private key; keep it secret",
                  {{"file", options.new_key}, {"kind", "private"}});
        tell_more("keys",
                  open + ": the public key; as boards/NAME/key.pub it makes board NAME require it",
                  {{"file", open}, {"kind", "public"}});
        return {};
    }
    if (!options.check.empty()) {
        const auto key = read_public_key(options.check);
        if (!key)
            return std::unexpected(key.error());
        for (const auto &path : options.files)
            if (auto good = check(*key, path); !good)
                return good;
        return {};
    }
    const auto key = SigningKey::read(options.key);
    if (!key)
        return std::unexpected(key.error());
    for (const auto &path : options.files)
        if (auto done =
                sign(*key, path, options.output.empty() ? path : options.output, options.numbers);
            !done)
            return done;
    return {};
}

int run(int argc, char **argv) {
    CLI::App app("Signs firmware and kernel images for boards that require signatures",
                 "rivulet sign");
    app.set_version_flag("--version", std::string("rivulet ") + rivulet::build_version());
    Options options;
    app.add_option("--new-key", options.new_key, "create a key: this file and FILE.pub");
    app.add_option("--key", options.key, "private key to sign with (default: RIVULET_SIGN_KEY)")
        ->envname("RIVULET_SIGN_KEY");
    app.add_option("--check", options.check,
                   "check signatures with this public key instead of signing");
    add_numbers(app, options.numbers);
    app.add_option("-o,--output", options.output, "write the signed file here instead of in place");
    app.add_option("FILES", options.files, "ELF files: kernel images and firmware");
    const auto check = [&] {
        const bool works_on_files = options.new_key.empty();
        if (works_on_files && options.files.empty())
            throw CLI::ValidationError("give files to sign, or --new-key FILE");
        if (works_on_files && options.check.empty() && options.key.empty())
            throw CLI::ValidationError(
                "give --key FILE (or RIVULET_SIGN_KEY); --new-key makes one");
        if (!options.output.empty() && options.files.size() != 1)
            throw CLI::ValidationError("--output is for one file");
    };
    return run_program(app, argc, argv, check, [&] { return run(options); });
}

} // namespace
} // namespace rivulet::flash

int main(int argc, char **argv) {
    return rivulet::command_line::finish("rivulet sign", rivulet::flash::run(argc, argv));
}
