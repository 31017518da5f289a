// SPDX-License-Identifier: GPL-2.0-only
//
// Windows of PCI functions: the card that `rivulet card` plays, which is an ivshmem device. A
// vendor's card gets a row in `cards`.
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "window.h"

struct card {
    u8 window_bar;
    u8 register_bar;
    u64 address; /* of the window, as the harts see it */
    struct {
        u32 offset;
        u32 value;
    } lines[RIVULET_LINES];
};

/* Register 12 of ivshmem: peer << 16 | vector. The card is peer 0, its vectors are its lines. */
static const struct card ivshmem_card = {
    .window_bar = 2,
    .register_bar = 0,
    .address = 0x80000000,
    .lines = {{12, 0}, {12, 1}, {12, 2}},
};

static int card_probe(struct pci_dev *pci, const struct pci_device_id *id) {
    const struct card *card = (const struct card *)id->driver_data;
    struct rivulet_window *window;
    void __iomem *registers;
    unsigned int number;
    int status = pcim_enable_device(pci);
    if (status)
        return status;
    registers = pcim_iomap(pci, card->register_bar, 0);
    if (!registers || !pci_resource_len(pci, card->window_bar))
        return dev_err_probe(&pci->dev, -ENODEV, "not a card: a BAR is missing\n");
    pci_set_master(pci); /* or there are no messages */
    window = rivulet_window_new(&pci->dev);
    if (!window)
        return -ENOMEM;
    window->base = pci_resource_start(pci, card->window_bar);
    window->bytes = pci_resource_len(pci, card->window_bar);
    window->address = card->address;
    for (number = 0; number < RIVULET_LINES; number++)
        window->lines[number] = (struct rivulet_line){registers + card->lines[number].offset,
                                                      card->lines[number].value};
    pci_set_drvdata(pci, window);
    status = pci_alloc_irq_vectors(pci, 1, 1, PCI_IRQ_MSIX);
    if (status == 1) {
        window->has_interrupt = true;
        status =
            request_irq(pci_irq_vector(pci, 0), rivulet_window_interrupt, 0, "rivulet", window);
    }
    if (status)
        goto no_interrupt;
    status = rivulet_window_register(window);
    if (!status)
        return 0;
    free_irq(pci_irq_vector(pci, 0), window);
no_interrupt:
    pci_free_irq_vectors(pci);
    rivulet_window_put(window);
    return status;
}

static void card_remove(struct pci_dev *pci) {
    struct rivulet_window *window = pci_get_drvdata(pci);
    free_irq(pci_irq_vector(pci, 0), window);
    pci_free_irq_vectors(pci);
    rivulet_window_unregister(window);
}

static const struct pci_device_id cards[] = {
    {PCI_DEVICE(0x1af4, 0x1110), .driver_data = (kernel_ulong_t)&ivshmem_card},
    {},
};

/* Without MODULE_DEVICE_TABLE: most ivshmem functions are no cards, so the module is not loaded for
 * them by itself. The ids of a vendor's card belong into such a table. */
struct pci_driver rivulet_pci_driver = {
    .name = "rivulet_window",
    .id_table = cards,
    .probe = card_probe,
    .remove = card_remove,
};
