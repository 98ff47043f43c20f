-- What an EXPLAIN has answered. It is not kept as a result: no engine writes a plan into a file.
alter table statements add column plan text;
