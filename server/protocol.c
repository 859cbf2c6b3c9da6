/* protocol.c -- see protocol.h: each call goes to all protocols of the server, in their order. */
#include "server/protocol.h"

#include "server/internal.h"

bool protocols_open(Server *server, MashText *problem) {
    for (const ServerProtocolSetup *i = server->setup.protocols; i->protocol != NULL; i++)
        if (i->protocol->open != NULL && !i->protocol->open(server, problem))
            return false;
    return true;
}

void protocols_close(Server *server) {
    for (const ServerProtocolSetup *i = server->setup.protocols; i->protocol != NULL; i++)
        if (i->protocol->close != NULL)
            i->protocol->close(server);
}

uint16_t protocols_accept(Session *session, const NetRequest *request) {
    for (const ServerProtocolSetup *i = session->server->setup.protocols; i->protocol != NULL;
         i++) {
        session->protocol = i->protocol;
        uint16_t status = i->protocol->accept(session, request);
        if (status != PROTOCOL_OTHER)
            return status;
    }
    return 404;
}

void protocols_acted(Table *table, uint8_t seat) {
    for (const ServerProtocolSetup *i = table->server->setup.protocols; i->protocol != NULL; i++)
        i->protocol->acted(table, seat);
}

void protocols_notify(Table *table, TableNotice notice) {
    for (const ServerProtocolSetup *i = table->server->setup.protocols; i->protocol != NULL; i++)
        i->protocol->notify(table, &notice);
}

void protocols_clocks(Table *table) {
    for (const ServerProtocolSetup *i = table->server->setup.protocols; i->protocol != NULL; i++)
        if (i->protocol->clocks != NULL)
            i->protocol->clocks(table);
}

void protocols_release(Table *table) {
    for (const ServerProtocolSetup *i = table->server->setup.protocols; i->protocol != NULL; i++)
        if (i->protocol->release != NULL)
            i->protocol->release(table);
}

/* Its index in the list of the server, which must contain it. */
static uint32_t place_of(const Server *server, const ServerProtocol *protocol) {
    uint32_t place = 0;
    while (server->setup.protocols[place].protocol != protocol)
        assert(server->setup.protocols[place++].protocol != NULL);
    return place;
}

void **protocol_server_data(Server *server, const ServerProtocol *protocol) {
    return &server->protocol_data[place_of(server, protocol)];
}

void **protocol_table_data(Table *table, const ServerProtocol *protocol) {
    return &table->protocol_data[place_of(table->server, protocol)];
}

const void *protocol_config(const Server *server, const ServerProtocol *protocol) {
    return server->setup.protocols[place_of(server, protocol)].config;
}

const char *protocols_label(Table *table) {
    const ServerProtocolSetup *each = table->server->setup.protocols;
    const char *label = "";
    for (; each->protocol != NULL && label[0] == '\0'; each++)
        if (each->protocol->label != NULL)
            label = each->protocol->label(table);
    return label;
}
