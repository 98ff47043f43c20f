-- Catalogs of the account's own data beside its first one. What is kept of one is called by its id.
create table internal_catalogs (
  catalog_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  description text not null,
  created_by text not null,
  created_at timestamptz not null,
  -- Null until an engine has made what belongs to it: until then nobody was told that it is there.
  opened_at timestamptz
);
create unique index internal_catalogs_account_id_lower_name on internal_catalogs (account_id, lower(name));
