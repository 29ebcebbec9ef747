-- Once, on the primary, as the superuser: psql -v password=... -f cluster.sql
create role shop login password :'password';
create database shop owner shop;
-- PostgreSQL ends the wait for a replica when a statement times out, and reports the commit as done although only this server has it.
-- The timeout must therefore be longer than a cut-off primary lives (20 s of lease and 5 s of the loop). The shop itself gives up
-- after 11 s, closes the connection and counts nothing as done.
alter role shop set statement_timeout = '60s';
