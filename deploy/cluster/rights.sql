-- Rights of the servers' role, once on the primary: psql -d mashup -f rights.sql
-- The role and the database are made by `pg_autoctl create postgres --username mashup --dbname mashup`.
alter database mashup owner to mashup;
grant pg_read_all_stats to mashup;
