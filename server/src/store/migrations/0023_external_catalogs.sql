-- Data that lies elsewhere, and how it is reached.
create table external_catalogs (
  catalog_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  name text not null,
  description text not null,
  metastore text not null,
  -- What is no secret.
  settings jsonb not null,
  -- Sealed.
  secrets text not null,
  created_by text not null,
  created_at timestamptz not null
);
create unique index external_catalogs_account_id_lower_name on external_catalogs (account_id, lower(name));
