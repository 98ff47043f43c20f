-- Who did what, for ever. An entry is the canonical JSON text that the next one names by its SHA-256, so that none can be
-- changed or left out without the chain showing it. Accounts are not referred to: their entries outlive them.

create table audit_chains (
  account_id text primary key,
  entries bigint not null,
  -- SHA-256 of the last entry, in hex; 64 zeros before the first.
  head text not null check (head ~ '^[0-9a-f]{64}$')
);

create table audit_entries (
  account_id text not null,
  number bigint not null,
  entry text not null,
  at text not null generated always as ((entry::jsonb) ->> 'at') stored,
  author text not null generated always as ((entry::jsonb) -> 'by' ->> 'name') stored,
  action text not null generated always as ((entry::jsonb) ->> 'action') stored,
  object_id text not null generated always as ((entry::jsonb) -> 'object' ->> 'id') stored,
  primary key (account_id, number)
);

create function refuse_audit_change() returns trigger language plpgsql
  set search_path from current as $$
begin
  raise exception 'entries of the audit log are never changed';
end
$$;

create trigger audit_unchanging before update or delete on audit_entries
  for each row execute function refuse_audit_change();
create trigger audit_kept before truncate on audit_entries
  for each statement execute function refuse_audit_change();
