-- Agents have a door of their own.
alter table statements drop constraint statements_door_check;
alter table statements add constraint statements_door_check
  check (door in ('channel', 'http', 'mysql', 'ingest', 'mcp', 'service')) not valid;
