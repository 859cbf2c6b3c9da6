-- Settings of a database machine: `mashup admin store check` then has no advice left.
-- On each of them, also on a standby: psql -f database.sql
alter system set synchronous_commit = on;
alter system set client_connection_check_interval = '2s';
alter system set tcp_keepalives_idle = 2;
alter system set tcp_keepalives_interval = 1;
alter system set tcp_keepalives_count = 3;
alter system set idle_in_transaction_session_timeout = '5s';
alter system set max_slot_wal_keep_size = '10GB';
alter system set wal_compression = lz4;
select pg_reload_conf();
