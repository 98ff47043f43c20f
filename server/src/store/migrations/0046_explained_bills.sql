-- What each line of an invoice is made of, hour by hour; and the storage of managed data, which is metered once an hour.

create table invoice_line_hours (
  line_id uuid not null references invoice_lines on delete cascade,
  hour timestamptz not null,
  region text not null,
  seconds bigint not null,
  primary key (line_id, hour, region)
);

-- Lines that were made before, where the hours add up to them.
with used as (
  select lines.line_id, usage.hour, usage.region, usage.billed_seconds as seconds,
    sum(usage.billed_seconds) over (partition by lines.line_id) as of_line, lines.seconds as wanted
  from invoice_lines lines
  join warehouse_usage usage on usage.warehouse_id = lines.warehouse_id
    and date_trunc('month', usage.hour at time zone 'UTC') = lines.month
    and (usage.size, usage.edition, usage.usd_per_ccu) = (lines.size, lines.edition, lines.usd_per_ccu)
  where usage.billed_seconds > 0
)
insert into invoice_line_hours (line_id, hour, region, seconds)
select line_id, hour, region, seconds from used where of_line = wanted;

create table storage_usage (
  account_id text not null references accounts on delete cascade,
  hour timestamptz not null,
  bytes bigint not null check (bytes >= 0),
  edition text not null,
  region text not null,
  usd_per_gb_month numeric(12, 6) not null,
  is_billed boolean not null default false,
  primary key (account_id, hour)
);

-- A line is about a warehouse, or about the storage of an account: bytes times hours, at a price for a GB in a month.
alter table invoice_lines
  alter column warehouse_id drop not null,
  add column byte_hours numeric(40) not null default 0,
  add column usd_per_gb_month numeric(12, 6),
  -- What the storage costs, in the units of the invoice.
  add column storage_units numeric(30) not null default 0,
  add constraint invoice_lines_about check ((warehouse_id is null) = (usd_per_gb_month is not null));
