-- Which engines its warehouses may have; both: every one that is configured.
alter table accounts
  add column engines text not null default 'both' check (engines in ('embedded', 'cluster', 'both'));
