-- The audit log is read newest first, narrowed by time, actor and type of object. Each of these indexes has the entries in
-- the order of the list.

alter table audit_entries
  add column object_type text not null generated always as ((entry::jsonb) -> 'object' ->> 'type') stored;

create index audit_entries_at on audit_entries (account_id, at, number);
create index audit_entries_author on audit_entries (account_id, author, at, number);
create index audit_entries_object_type on audit_entries (account_id, object_type, at, number);
