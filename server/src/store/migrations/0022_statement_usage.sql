-- What of the time that is charged for warehouses was for which statement, in microseconds: written together with the
-- usage it is a part of, so that the parts add up. What is nobody's was idle.

alter table warehouse_usage add column busy_micros bigint not null default 0;

-- Outlives statements and warehouses as usage does, and names the account without referring to it, as statements do.
create table statement_usage (
  query_id uuid not null,
  account_id text not null,
  warehouse_id uuid not null,
  hour timestamptz not null,
  size text not null,
  edition text not null,
  region text not null,
  usd_per_ccu numeric(12, 6) not null,
  micros bigint not null check (micros > 0),
  primary key (query_id, hour, size, edition, region, usd_per_ccu)
);
create index statement_usage_warehouse on statement_usage (account_id, warehouse_id, hour);
create index statement_usage_hour on statement_usage (hour);

create or replace function forget_statements() returns trigger language plpgsql
  set search_path from current as $$
begin
  delete from statements where account_id = old.account_id;
  delete from statement_usage where account_id = old.account_id;
  return null;
end
$$;

-- By another rule, of which the sums did not match.
alter table statements drop column cost_ccu;
