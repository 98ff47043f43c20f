-- What an hour of storage costs is worked out once, when it is measured, in whole units: so every sum of hours is the same,
-- by whatever they are grouped. And storage lines of invoices keep their hours, as those of warehouses do.

alter table storage_usage add column units bigint check (units >= 0);
update storage_usage set units = div(
  bytes * (usd_per_gb_month * 1000000) * 3600,
  24 * 1000000000::numeric * extract(day from date_trunc('month', hour at time zone 'UTC') + interval '1 month' - interval '1 day')
);
alter table storage_usage alter column units set not null;

alter table invoice_line_hours
  alter column seconds set default 0,
  add column bytes bigint not null default 0,
  add column storage_units bigint not null default 0;

-- A part of the price that an organisation does not pay, for months. Of two for the same month the later one counts.
create table discounts (
  discount_id uuid primary key,
  organisation_id uuid not null references organisations on delete cascade,
  basis_points integer not null check (basis_points between 0 and 10000),
  from_month date not null,
  -- The first month without it; null: until another one is set.
  until_month date,
  set_at timestamptz not null,
  check (until_month > from_month)
);
create index discounts_organisation_id on discounts (organisation_id, set_at);

alter table invoice_lines
  add column discount_basis_points integer not null default 0,
  add column discount_units numeric(30) not null default 0;

alter table invoices
  add column discount_units numeric(30) not null default 0,
  drop constraint invoices_check,
  add constraint invoices_check
    check (usage_units - discount_units - credit_units + carried_in_units = due_cents * 36000000 + carried_out_units);
