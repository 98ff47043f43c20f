-- A transaction that was begun for one table takes no part of another.
alter table load_tasks add column is_of_one_table boolean not null default false;
