-- Changes of catalogs that were begun, each under the id by which its engine remembers it. One is gone with the entry of
-- the audit log that tells of it, or as soon as it is known that it did nothing.
create table catalog_changes (
  change_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  begun_at timestamptz not null,
  -- What is told of it, and which grants follow it, once it has taken effect.
  told jsonb not null
);
create index catalog_changes_account_id on catalog_changes (account_id);

-- Whose a view is decides what may be read through it: what is remembered of that holds for one version.
create trigger identity_changed_insert after insert on view_owners referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_update after update on view_owners referencing new table as changed
  for each statement execute function identity_of_account_changed();
create trigger identity_changed_delete after delete on view_owners referencing old table as changed
  for each statement execute function identity_of_account_changed();
