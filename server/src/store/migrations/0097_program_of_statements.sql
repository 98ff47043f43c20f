-- What the program that sent a statement calls itself, where it says so.
alter table statements add column program text;
