-- What may be spent in a month, and what happens when it is: of an organisation, an account or a warehouse.

create table budgets (
  budget_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  -- In which it was set: only there can it be changed.
  owner_account_id text not null references accounts on delete cascade,
  -- Null: all accounts of the organisation.
  account_id text references accounts on delete cascade,
  -- Null: all warehouses.
  warehouse_id uuid references warehouses on delete cascade,
  micro_usd bigint not null check (micro_usd > 0),
  warn_percent integer not null check (warn_percent between 1 and 100),
  action text not null check (action in ('warn', 'stop', 'suspend')),
  created_at timestamptz not null,
  -- The last month in which people were told.
  warned_month date,
  reached_month date,
  check (warehouse_id is null or account_id is not null),
  unique nulls not distinct (owner_account_id, account_id, warehouse_id)
);
create index budgets_organisation_id on budgets (organisation_id);
create index budgets_account_id on budgets (account_id);
create index budgets_warehouse_id on budgets (warehouse_id);
