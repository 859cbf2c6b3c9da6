/* house.h -- the house from inside: what the files of server/ share.
 *
 * A Session is a connection, a Table a match with its two chairs and its watchers, a Holding a
 * content that tables share. What a table does is journalled at once and told when the store has it
 * safe: messages wait in one queue behind the ticket of the last record (outbox.c). So a table's
 * match may be ahead of what anybody has been told, and everything told is in order. */
#ifndef SERVER_HOUSE_H
#define SERVER_HOUSE_H
#include "ai/ai.h"
#include "match/match.h"
#include "proto/message.h"
#include "proto/position.h"
#include "server/bans.h"
#include "server/budget.h"
#include "server/server.h"

/* Why no match begins while the store has little room. */
#define HOUSE_LOW "The server is low on disk space; running matches go on."

/* What we call ourselves in `welcome`. */
#define SERVER_NAME "mashup 0.1.0"

/* Limits. */
enum {
    MESSAGE_NODES_MAX = 2048,       /* JSON values of one message */
    MESSAGE_POOL_BYTES = 512 << 10, /* decoded documents of one message */
    SERVER_PROBLEMS_MAX = 8,
    HOUSE_TEXT_BYTES_MAX = 64 << 20, /* one message or file that we write */
    HOUSE_MATCH_BYTES_MAX = 8 << 20, /* one match of somebody's own content */
    WATCHERS_CHAT_SHARE = 4,         /* all watchers of a table talk as fast as so many */
    POSITION_FORMS = 3,              /* json, json with words, bytes */
    HOUSE_BLIND = 253,               /* in place of a seat: watchers who see nothing hidden */
    HOUSE_LABEL_BYTES = 32,
};

typedef struct Table Table;
typedef struct Session Session;
typedef struct Outgoing Outgoing;
typedef struct LoadedContent LoadedContent;
typedef struct AiJob AiJob;
typedef struct StandardSession StandardSession;
typedef struct StandardServerTable StandardServerTable;

/* --- Contents (content.c) --------------------------------------------------------------------- */

/* A loaded content and where it comes from. */
struct LoadedContent {
    LoadedContent *next;
    MashContent *content;
    const MashPreset *preset; /* NULL: documents of somebody's own */
    MashDocument documents[MASH_DOCUMENTS_MAX];
    uint32_t documents_count;
    char *kept;       /* the bytes of own documents; NULL: they came with the game */
    uint32_t tables;  /* that use it; those of presets stay anyhow */
    Account *account; /* of own documents: who has sent them; NULL: nobody knows */
    uint64_t bytes;   /* that they are counted for there */
};

/* Loads all presets. False: the problem says which does not load. */
bool contents_open(Server *server, MashText *problem);
void contents_close(Server *server);
/* The content of a preset (NULL = the first); NULL: there is none. */
LoadedContent *content_of_preset(Server *server, const MashGame *game, const char *preset);
/* A content of these documents in place of a preset's ("": of none). NULL: the problem says why. */
LoadedContent *content_of_documents(Server *server, const MashGame *game, const char *preset,
                                    const MessageDocuments *documents, MashText *problem);
/* Counts a content of own documents, with one match of it, for an account. False: that has no room
 * for it, and the reason says so. */
bool content_charge(Server *server, LoadedContent *holding, Account *account, MashText *reason);
/* A table begins or ceases to use it. */
void content_retain(LoadedContent *holding);
void content_release(Server *server, LoadedContent *holding);

/* --- Sessions (session.c) --------------------------------------------------------------------- */

/* A connection at the arena, or one that speaks the standard. */
struct Session {
    Server *server;
    NetConnection *connection;
    StandardSession *protocol_data; /* of the standard; NULL: an arena client */
    char name[PROTO_NAME_MAX + 1];
    uint8_t role, form;
    bool with_text, said_hello, closing;
    uint32_t strikes;
    Table *table;           /* NULL: at none */
    uint8_t seat;           /* MASH_SEAT_NONE: watches */
    bool blind;             /* watches a table of glass and sees nothing hidden before the end */
    Session *next, *before; /* watchers of the table */
    Session *next_all, *before_all;
    uint64_t talk_ms;   /* until when what he has asked for is paid */
    uint64_t joined_at; /* what was queued for the table before this is not for him */
    uint32_t queued;    /* messages in the queue that are for him alone */
    char address[BAN_ADDRESS_BYTES];
    uint32_t number;           /* by which operators name it */
    Account *account;          /* of its address; NULL: a house of its own in a test */
    TokenBucket messages;      /* that it may send whatever others of its address do */
    uint32_t refused_messages; /* because its address sent too many, less those let in */
};

/* What is being answered just now. */
typedef struct RequestContext {
    const char *to; /* NULL: unknown */
    bool has_id, refused;
    int32_t id;
} RequestContext;

Session *session_open(Server *server, NetConnection *connection);
/* The connection is gone. */
void session_close(Session *session);
void session_receive(Session *session, const char *bytes, uint32_t count);
/* Something that is no message at all: costs the match and the connection. */
void session_reject_frame(Session *session, const char *reason);
/* Sends a message to one session at once. */
void session_send(Session *session, const Message *message);
/* Something for it could not be written: it is cut off, and may come back. */
void session_fault(Session *session);
/* The usual answers. */
void session_done(Session *session);
void session_refuse(Session *session, Refusal refusal);
void session_refuse_because(Session *session, Refusal refusal, const char *reason);
void session_refuse_status(Session *session, MashStatus status);
/* A line of the log that ties number, address and name together: for debugging, or at info if the
 * operator wants to know. */
void session_log(const Session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* What an action or the state of its table costs of the messages of its address beside one. */
uint32_t session_action_cost(const Session *session);
/* Whoever says anything is not silent. */
void session_mark_active(Session *session);
/* 0: json, 1: json with words, 2: bytes. */
uint32_t session_form(const Session *session);
/* Takes out of a name or line what draws nothing or turns the writing around, and blanks at its
 * ends. False: nothing is left. */
bool session_sanitize(char *words);

/* --- Tables (table.c, play.c) ----------------------------------------------------------------- */

/* What a match is played with. */
typedef struct TableConfig {
    LoadedContent *content;
    int32_t options[MASH_OPTIONS_MAX];
    ClockLimits clocks;
    bool quick, unlisted, open_to_spectators;
    uint8_t leg;          /* of two matches with sides changed: 1 or 2; 0: a single match */
    uint8_t first_winner; /* in the second: who won the first, as a seat of this table */
} TableConfig;

/* A seat of a table. */
typedef struct Chair {
    bool taken;
    char name[PROTO_NAME_MAX + 1];
    uint8_t role;
    uint32_t robot; /* level of a robot of the house; 0: none */
    char token[PROTO_TOKEN_DIGITS + 1];
    char address[BAN_ADDRESS_BYTES]; /* from where the player last came; "": not since a restart */
    Session *session;                /* NULL: away, or a robot */
    Account *account;                /* for whom it counts; NULL: a robot, or as above */
    uint32_t number;                 /* of the position it sees */
    uint32_t strikes;
    uint32_t pauses;     /* that it has made */
    TokenBucket pausing; /* how fast it may make them */
    bool wants_rematch, left;
    bool told;       /* how the match ended */
    bool ai_running; /* a robot's thought is under way */
    AiPlan plan;     /* what a robot means to do next */
    /* Of a player who speaks the standard: who it is (0, 0: none), whether it has said anything in
     * this turn, how many turns in a row ran out without a word, when the last one did, when and
     * for which turn it last asked for what was right a moment before, and the choice of heroes
     * that waits for the end of a pause (a bit for each place; 0: none). */
    uint64_t identity[2];
    bool asked;
    uint32_t idle_turns;
    uint64_t timed_out_ms, stale_ms;
    uint32_t stale_turn, chosen;
    TokenBucket replays; /* how often the match may be played again to find that it was only late */
    uint64_t unread_ms;  /* so long a slow reader needs for what was sent before its turn began */
} Chair;

/* A match and everybody around it. */
struct Table {
    Server *server;
    Table *bucket_next;   /* bucket of the register */
    Table *next, *before; /* all tables, newest first */
    uint64_t number;
    uint64_t serial; /* counts the tables as they were opened */
    char code[PROTO_CODE_MAX + 1];
    uint8_t state; /* PROTO_STATE_... */
    TableConfig setting;
    Match match;
    void *memory; /* of the match */
    Chair chairs[MASH_SEATS];
    Session *watchers;
    uint32_t watchers_count;
    uint64_t talk_ms;         /* until when what its watchers have said is paid */
    uint32_t watchers_number; /* of the position that watchers see */
    uint32_t blind_number;    /* and of the one that blind watchers see; see Session.blind */
    Clock clock;
    uint8_t paused_by;
    uint64_t second_ms; /* when the second of two matches begins by itself; 0: it does not */
    NetTimer *timer;
    uint64_t timer_ms;       /* when it rings; what is due later is looked at then; 0: at rest */
    uint64_t closes_ms;      /* when a table that waits or lingers is closed; 0: it is not */
    ClockNext retry_due;     /* a time that was over when the store took nothing */
    uint64_t retry_at_ms;    /* when that is tried again; 0: nothing is owed */
    uint64_t abandoned_ms;   /* when a match ends that all players have left; 0: it does not */
    uint64_t robot_acted_ms; /* when a robot has last acted */
    uint64_t robot_retry_ms; /* when a robot tries again to be heard by the crew; 0: it need not */
    uint64_t started_ms;     /* by the calendar */
    uint64_t ticket;         /* of its last record */
    uint32_t queued;         /* messages in the queue */
    uint32_t thoughts;       /* under way */
    Account *robots_of;      /* for whom its robots count; NULL: for nobody */
    uint32_t robots_weight;
    bool journalled;       /* it waits, and the journal knows of it */
    bool archived, closed; /* closed: freed when nothing is under way any more */
    StandardServerTable
        *protocol_data;            /* for clients that speak the standard; NULL: none came yet */
    char label[HOUSE_LABEL_BYTES]; /* by which such clients find it; "": by none */
};

/* A new table that waits. NULL: the house is full. */
Table *table_open(Server *server, const TableConfig *setting);
/* A table out of the journal. */
Table *table_open_as(Server *server, const TableConfig *setting, uint64_t number);
/* Tells everybody there and closes it; never while its match is on. */
void table_close(Table *table, const char *reason);
/* Frees it if nothing holds it any more. */
void table_free_if_idle(Table *table);
/* A player takes a chair. */
void table_sit(Table *table, uint8_t seat, Session *session);
void table_sit_robot(Table *table, uint8_t seat, uint32_t level);
/* A session takes a chair up again; another one there is told. */
void table_return(Table *table, uint8_t seat, Session *session);
void table_watch(Table *table, Session *session);
/* The session goes away from the table; `lost`: its connection is gone. */
void table_leave(Session *session, bool lost);
/* Both chairs are taken: the match begins. False: it could not, and the table is closed. */
bool table_begin(Table *table);
/* A table as it was in the journal waits, its match goes on, or its match is over. */
void table_wait(Table *table);
void table_resume(Table *table, uint64_t played_ms);
void table_linger(Table *table);
/* The message `table` for a session, behind what is not safe yet. */
void table_send_table(Table *table, Session *session);
/* Are all its players away? */
bool table_deserted(const Table *table);
/* The message `people` to everybody there. */
void table_send_players(Table *table);
/* A message to everybody at the table, behind what is not safe yet. */
void table_send_all(Table *table, const Message *message);
/* Looks at the clock, does what is due, and sets the timer anew. */
void table_tick(Table *table);
/* Sets the timer for what is due next. */
void table_set_timer(Table *table);
/* Is the match on? */
bool table_is_running(const Table *table);
/* The end of the match has been told. */
void table_finish(Table *table);
/* The seat wants another match; it begins if both do. */
void table_rematch(Table *table, uint8_t seat);
/* A seat pauses or continues the match (MASH_SEAT_NONE: the house). */
bool table_is_paused(const Table *table); /* paused, or waiting for somebody to come back */
bool table_may_pause(const Table *table, uint8_t seat); /* not as often as it may already? */
/* Takes a pause from those that a seat may make: thirty, and one more every twenty seconds. Each is
 * told to all, to clients of the standard with the whole state, and the other player must have time
 * to play between two. False: it comes too fast. */
bool table_pause_in_rate(Table *table, uint8_t seat);
void table_pause(Table *table, uint8_t seat);
void table_continue(Table *table, uint8_t seat);

/* Does an action; tells all when it is safe. `why` is set if the answer is not MASH_OK because of
 * the house and not of the rules. */
MashStatus actions_apply(Table *table, MashAction action, Refusal *why);
/* The house ends or times the match. False: the store did not take it; ask again later. */
bool actions_apply_as_server(Table *table, uint8_t verb, uint8_t seat, uint8_t amount);
/* The position for one session, behind what is not safe yet. */
void positions_send(Table *table, Session *session);
/* What is left of the times, as everybody may know it. */
PositionClocks positions_clocks(Table *table);
/* Counts what each one sees, as if the last action had just been told. */
void positions_count_changes(Table *table);
/* The view of a seat or of the watchers into the house's scratch. */
const void *positions_view(Table *table, uint8_t seat);

/* --- The queue (outbox.c) --------------------------------------------------------------------- */

/* For whom a message is: a seat's session, watchers of one form, everybody, one session, or the
 * table itself, whose match is over. */
typedef enum OutgoingTarget {
    OUTGOING_SEAT,
    OUTGOING_IDLE_SEAT, /* one that has nothing to do now: in a crowd it is told lazily */
    OUTGOING_WATCHERS,
    OUTGOING_ALL,
    OUTGOING_SESSION,
    OUTGOING_THEN_CLOSE, /* one session, which is closed behind it with code 1000 + `which` */
    OUTGOING_END
} OutgoingTarget;

/* A message that waits. */
struct Outgoing {
    Outgoing *next;
    uint64_t ticket, number;
    Table *table;
    Session *session; /* NULL: gone meanwhile */
    NetFrame *frame;
    OutgoingTarget whom;
    uint8_t which; /* seat, form (and POSITION_FORMS if blind), or how a connection is closed */
};

/* Sends the frame, or queues it behind the last ticket; takes the reference over. Without a frame
 * those it should have gone to are cut off (1011), so that nobody goes on with a message missing.
 */
void outbox_send(Table *table, OutgoingTarget whom, uint8_t which, Session *session,
                 NetFrame *frame);
/* Something may be safe by now. */
void outbox_flush(Server *server);
/* Forgets what waits for this session. */
void outbox_forget(Server *server, Session *session);
/* Forgets everything. */
void outbox_clear(Server *server);

/* --- The journal and the archive (journal.c) -------------------------------------------------- */

/* Writes down that the table waits, so that it is there again after a restart, or that it need not
 * be any more. */
void records_write_waiting(Table *table);
void records_forget(Table *table);
/* Writes down that the match begins, and an action. False: the store does not take it. */
bool records_write_begin(Table *table);
bool records_write_action(Table *table, MashAction action);
/* Writes the finished match to the archive, or forgets one in which no player has done anything. */
void records_finish(Table *table);
/* How many actions of the game players have made in the match; robots are not counted. */
uint32_t journal_actions(const Table *table);
/* Takes up every match that was running. */
void records_recover(Server *server);
/* The match as a file, in memory that the caller frees; NULL: no memory. */
char *records_match_file(Table *table, uint32_t *count);

/* Kinds of record. */
enum { RECORD_BEGIN = 1, RECORD_ACTION = 2, RECORD_OPEN = 3 };

/* All records of a match, as the journal has them. */
typedef struct JournalRecords {
    StoreRecord *list; /* their bytes are in `bytes` */
    uint8_t *bytes;
    uint32_t count;
} JournalRecords;

/* Writes a match that this program cannot take up again to the archive as it stood (unplayable.c);
 * `why` is what the list says of it. False: not now; it stays in the journal. */
bool unplayable_archive(Server *server, uint64_t number, const JournalRecords *records,
                        const char *why);

/* --- Reading the archive (reader.c) ----------------------------------------------------------- */

typedef struct Ask Ask;

/* What can be asked: a list, a match's file, whether there is one (STORE_TOO_LONG: yes). */
typedef enum AskKind { ASK_LIST, ASK_FILE, ASK_WHETHER } AskKind;

/* The longest name of a game or player that is asked for, with the NUL. */
enum { ASK_TEXT_BYTES = 64 };

/* A question to the archive and its answer. */
struct Ask {
    Ask *next;
    Server *server;
    Account *account;
    AskKind kind;
    uint64_t match;                                    /* of a file */
    StoreFilter filter;                                /* of a list, but for its texts */
    char game[ASK_TEXT_BYTES], player[ASK_TEXT_BYTES]; /* "": any */
    void (*answer)(Ask *ask);                          /* called in the loop when it is known */
    NetReply *reply;                                   /* where it goes; NULL: to the session */
    Session *session;                                  /* NULL: to HTTP, or gone meanwhile */
    RequestContext asking;                             /* what the session has said */
    StoreStatus status;
    StoreEntry *entries;
    uint32_t entries_count;
    char *file;
    size_t count; /* of the file */
};

/* The thread that reads, and what it is asked. */
typedef struct Reader {
    NetThreadPool *crew;
    Ask *first;
    uint32_t waiting;
    uint64_t asked, refused;
} Reader;

/* False: no memory. */
bool reader_open(Server *server);
void reader_close(Server *server);
/* Asks for somebody at this address; whose reply or session waits is set in what is returned. NULL:
 * too many questions wait, and nothing was done. */
Ask *reader_ask(Server *server, const char *address, const Ask *question);
/* The session is gone: nobody waits there for an answer. */
void reader_forget(Server *server, const Session *session);

/* --- Lobby (lobby.c) -------------------------------------------------------------------------- */

/* The wishes of that name. */
void lobby_seek(Session *session, const Message *message);
void lobby_open(Session *session, const Message *message);
void lobby_join(Session *session, const Message *message);
void lobby_return(Session *session, const Message *message);
void lobby_watch(Session *session, const Message *message);
void lobby_matches(Session *session, const Message *message);
void lobby_games(Session *session);
/* Times within what this server lets guests choose; those that are usual here always are. */
ClockLimits lobby_bounded(const Server *server, ClockLimits wanted);
/* Would two settings make the same match? */
bool table_config_equal(const TableConfig *a, const TableConfig *b);
/* The table of this number, or NULL. */
Table *lobby_find(Server *server, uint64_t number);
/* A page of the list of tables. */
typedef struct LobbyPage {
    const char *game;            /* only of this one; NULL: all */
    uint8_t state;               /* it goes on behind the table of this state ... */
    uint64_t serial;             /* ... and this serial number; 0: it begins with the newest */
    char next[PROTO_ID_MAX + 1]; /* where the next page begins; "": there is none */
} LobbyPage;
/* Where a page begins: at the start for NULL, else what `next` of another said. False: that is no
 * such place. */
bool lobby_read_place(const char *place, LobbyPage *page);
/* Lists of tables and games as JSON arrays. */
void lobby_write_matches(Server *server, LobbyPage *page, MashText *text);
void lobby_write_games(Server *server, MashText *text);
/* A table's players as a JSON array. */
void lobby_write_players(const Table *table, MashText *text);

/* --- Robots (robot.c) ------------------------------------------------------------------------- */

/* Lets the robots at the table think if it is their turn. */
void robot_start_due(Table *table);
/* May one more robot of this level play for somebody of this address? False: it is counted, and the
 * reason is written. */
bool robot_may_play(Server *server, const Account *account, uint32_t level, MashText *reason);
/* The robots at the table count from now on; their match is over. */
void robot_hire(Table *table);
void robot_dismiss(Table *table);
/* Thoughts of this table (NULL: of all) end soon. */
void robot_stop_early(Server *server, const Table *table);
/* The crew is closed: forgets all thoughts. */
void robot_drop_jobs(Server *server);

/* --- The network standard (standard*.c) ------------------------------------------------------- */

/* Loads what its matches are played with. False: the problem says why. */
bool talk_open_house(Server *server, MashText *problem);
/* A connection at any path but the arena's. False: there is no memory. */
bool talk_open(Session *session, const char *path);
/* The connection is gone, with this code. */
void talk_close(Session *session, uint16_t code);
/* An operator cuts it off: nothing more is said or heard, and that is no offence. */
void talk_cut(Session *session);
void talk_hear(Session *session, const char *bytes, uint32_t count);
/* A message was not heard because its address sends too many: a player is told Nack. */
void talk_too_fast(Session *session);
void talk_hear_binary(Session *session);
/* Tells somebody who has just come to a table what there is to know. */
void talk_welcome(Session *session);
/* Tells everybody who speaks it what the last action did. */
void talk_tell(Table *table);
/* Tells all but one that the match is paused or goes on. */
void talk_tell_pause(Table *table, bool paused, const Session *except);
/* A warning or the end of a time, to one player. */
void talk_warn(Session *session, uint32_t left_ms);
void talk_time_over(Table *table, uint8_t seat, ClockDue due);
/* Sends somebody away: the table is closed, its match is over, or the seat is taken. */
void talk_part(Session *session, const char *reason);
/* The match is over and told: says goodbye to all who speak the standard. */
void talk_finish(Table *table);
/* The choice of teams has a time of its own: the configured turn, but two minutes at least. */
void talk_set_clocks(Table *table);
/* Frees what a table holds for it. */
void talk_release(Table *table);
/* The house closes: says goodbye. */
void talk_drain(Server *server);
/* The seat's silence is due to be told: was it still reading? Then that part does not count. */
bool talk_excuse(Table *table, uint8_t seat);
/* Is anybody at the table who speaks it? */
bool talk_anybody(const Table *table);
/* A connection that speaks it: does the match wait for it to come back when it is lost? */
static inline bool talk_speaks(const Session *session) { return session->protocol_data != NULL; }

/* --- HTTP (api.c) ----------------------------------------------------------------------------- */

/* Answers a request, whatever its path. */
void http_api_reply(Server *server, const NetRequest *request, NetReply *reply);

/* --- The side door (admin.c) ------------------------------------------------------------------ */

/* Opens the door in the house's folder, if it has one, and reads the bans that lie there. */
void admin_open(Server *server);
void admin_close(Server *server);
/* Answers a line of those who run the house. */
void admin_answer(Server *server, const char *line, NetAdminReply *answer);
/* Reads the bans again, which somebody may have edited. */
void admin_reload(Server *server);
/* The ban that is in force for this address; NULL: none. */
const Ban *admin_ban(const Server *server, BanKind kind, const char *address);
/* A ban as a sentence for whom it hits. */
void admin_write_ban(const Ban *ban, MashText *text);

/* --- Limits while running (limits.c) ---------------------------------------------------------- */

/* Every limit with its value and meaning, one a line, behind "ok". */
void limits_write(void *server, MashText *text);
/* Changes a limit. False: the problem says why not. */
bool limits_set(Server *server, const char *name, const char *value, MashText *problem);
/* Reads the file of settings, if there is one; logs what is wrong in it. */
void limits_load(Server *server);

/* --- The log (log.c) -------------------------------------------------------------------------- */

/* One line; the format is text_format()'s. */
void server_log(const Server *server, LogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* 2026-07-01T12:00:00.000Z from milliseconds since 1970. */
void log_write_date(MashText *text, uint64_t date_ms);
/* The level of that name, or LOG_LEVELS; the name of a level. */
LogLevel log_level_of(const char *name);
const char *log_level_name(LogLevel level);

/* --- The house -------------------------------------------------------------------------------- */

/* What has happened since it was opened. */
typedef struct ServerStats {
    uint64_t actions, refusals, offences, matches_begun, matches_over, recovered, thoughts;
    uint64_t thought_nodes;
    uint64_t faults; /* what could not be told because of a wrong value of ours */
    uint64_t chats, abandoned, forgotten;
    uint64_t stalls;       /* times that the server was kept from running */
    uint64_t low_refusals; /* matches that did not begin because the disk was low on space */
} ServerStats;

/* A growing piece of memory. */
typedef struct Scratch {
    void *bytes;
    size_t count;
} Scratch;

/* The house. */
struct Server {
    ServerSetup setup;
    NetLoop *loop;
    NetServer *net;
    NetThreadPool *crew;
    Store *store;
    Reader reader;
    NetWakeup *bell; /* the store has news */
    NetTimer *beat;  /* looks for stalls while there are tables; NULL: there was none yet */
    bool beating;
    uint64_t awake_ms;     /* when the server was last seen running, while it is looked for */
    uint64_t stalled_ms;   /* how long it was kept from running, in all */
    NetTimer *prune_timer; /* when the archive is pruned next */
    uint64_t opened_date_ms, opened_ms; /* when it was opened, by the calendar and by the loop */
    bool draining, failed;
    uint64_t durable_ticket; /* the last ticket that the store has safe */
    uint64_t queued;         /* messages that ever went through the queue */
    bool closing;            /* no match begins any more; those that are on may go on */
    uint64_t closes_ms;      /* when the house closes whatever is on, while it is closing */
    NetTimer *closing_timer; /* NULL: nobody asked it to close */
    NetAdminSocket *door;    /* NULL: it has none */
    BanList bans;
    const char *hosts[SERVER_HOSTS_MAX + 1]; /* lent to net: the setup's, and that of its origin */
    uint32_t matches_room, sockets_room; /* there is room for no more than these while it runs */
    uint32_t sessions_ever;
    Outgoing *first, *last;
    bool under_load; /* many actions became safe at once */
    AiJob *ai_jobs;
    uint32_t thoughts_count;
    uint32_t thinking;       /* thoughts in the crew */
    AiJob *stopped_thoughts; /* that made way for shorter ones, the last first */
    Account *thinkers;       /* accounts whose thoughts wait */
    uint64_t thought_clock;  /* how much the account served last has had */
    uint32_t robots;         /* what all robots weigh */
    LoadedContent *contents;
    Table *tables;
    uint32_t tables_count, buckets_count;
    uint64_t tables_opened; /* ever */
    uint64_t lists;         /* of tables that were written */
    Table **buckets;
    Session *sessions;
    uint32_t sessions_count;
    RequestContext request;
    ServerStats figures;
    Accounts accounts;
    JsonNode *nodes;
    char *pool;
    Scratch view, old_view, position, text, load;
    Scratch told, told_state;        /* rooms of the standard's tongue */
    LoadedContent *standard_content; /* what its matches are played with */
    const Session *asker;            /* whose request is being done */
};

/* Memory of at least so many bytes, aligned to 64, whose old bytes are void; NULL: none. */
void *scratch_take(Scratch *scratch, size_t bytes);
/* Writes with `write` into the house's text, which grows until all fits. False: no memory. */
bool server_write_text(Server *server, MashText *text, void (*write)(void *what, MashText *text),
                       void *what);
/* A message as a frame. NULL: a value of ours does not fit its field, which is counted and logged,
 * or there is no memory: whoever should have had it is cut off (1011), and nobody else. */
NetFrame *house_frame(Server *server, const Message *message);
/* Counts and logs that something could not be told. */
void house_fault(Server *server, const char *what);
/* The time that players' clocks are measured in: it only grows, and stands still while the server
 * was kept from running, so that nobody pays for a stall of ours. */
uint64_t house_now_ms(Server *server);
/* There is a table: stalls are looked for from now on, as long as there are any. */
void house_watch_stalls(Server *server);
/* Has the store too little room for new matches? True: it is counted. */
bool house_low(Server *server);
/* Something was given to the store, which tells when it is done. */
void server_poll_store(Server *server);

#endif
