-- Settings of the monitor of pg_auto_failover: a database that is lost is noticed after 3 s instead of 20 s, and its standby promoted
-- 2 s later instead of 30 s: an old primary that still runs can acknowledge nothing without its standby.
-- On the monitor: psql -d pg_auto_failover -f monitor.sql
alter system set pgautofailover.health_check_period = '1s';
alter system set pgautofailover.health_check_timeout = '1s';
alter system set pgautofailover.health_check_retry_delay = '500ms';
alter system set pgautofailover.health_check_max_retries = 1;
alter system set pgautofailover.node_considered_unhealthy_timeout = '3s';
alter system set pgautofailover.primary_demote_timeout = '2s';
select pg_reload_conf();
