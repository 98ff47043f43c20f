-- What is known of a table beside its rows. Names as they are compared: in the letters a to z.
create table table_facts (
  account_id text not null references accounts on delete cascade,
  catalog_id text not null,
  database text not null,
  name text not null,
  -- Both null: it is older than this table, or no statement created it.
  created_at timestamptz,
  created_by text,
  changed_at timestamptz,
  changed_by uuid,
  -- Its rows and bytes are to be counted.
  is_due boolean not null default true,
  measured_at timestamptz,
  primary key (account_id, catalog_id, database, name)
);
create index table_facts_due on table_facts (measured_at) where is_due;

-- One count for each hour in which it was counted.
create table table_measures (
  account_id text not null references accounts on delete cascade,
  catalog_id text not null,
  database text not null,
  name text not null,
  hour timestamptz not null,
  row_count bigint,
  bytes bigint,
  primary key (account_id, catalog_id, database, name, hour)
);
create index table_measures_old on table_measures (hour);

-- Which statements of one user read or wrote it on one day: those that differ in values alone are one row, with the last.
create table table_uses (
  account_id text not null references accounts on delete cascade,
  catalog_id text not null,
  database text not null,
  name text not null,
  day date not null,
  user_id uuid not null references users on delete cascade,
  digest text not null,
  writes boolean not null,
  uses integer not null,
  query_id uuid not null,
  accepted_at timestamptz not null,
  primary key (account_id, catalog_id, database, name, day, user_id, digest, writes)
);
create index table_uses_of_statement on table_uses (account_id, query_id);
create index table_uses_of_user on table_uses (user_id, accepted_at desc);
create index table_uses_old on table_uses (day);

-- Who was given everything on a table is who created it.
insert into table_facts (account_id, catalog_id, database, name, created_at, created_by, is_due)
select account_id, lower(catalog_id collate "C"), lower(database collate "C"), lower(name collate "C"), min(granted_at), min(granted_by), false
from grants where is_creator and object_type in ('table', 'view')
group by 1, 2, 3, 4;
