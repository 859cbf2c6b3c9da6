-- Role and database of the servers, once on the primary: psql -f rights.sql
-- Then its password: alter role mashup password '...'. Nothing happens at a standby, nor where they are already.
select pg_is_in_recovery() as standby \gset
\if :standby
\q
\endif
select 'create role mashup login' where not exists (select from pg_roles where rolname = 'mashup') \gexec
select 'create database mashup owner mashup' where not exists (select from pg_database where datname = 'mashup') \gexec
grant pg_read_all_stats to mashup;
