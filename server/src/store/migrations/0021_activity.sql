-- What an engine measured of a run: until it was bound, from its last row to the last one handed over, and what it wrote
-- to disk for want of memory.
alter table statements
  add column compile_us bigint,
  add column fetch_us bigint,
  add column peak_spill_bytes bigint;

-- The list of statements is narrowed by one thing or another and is read in the order of its pages. Each index is of
-- what is listed alone, and those of rare things are paid for by these alone.

drop index statements_account_id_accepted_at;
drop index statements_user_id_accepted_at;

create index statements_listed on statements (account_id, accepted_at desc, query_id desc) where visible;
create index statements_of_user on statements (account_id, user_name, accepted_at desc, query_id desc) where visible;
create index statements_in_warehouse on statements (account_id, warehouse_id, accepted_at desc, query_id desc)
  where visible;
create index statements_not_finished on statements (account_id, state, accepted_at desc, query_id desc)
  where visible and state in ('failed', 'cancelled', 'interrupted');
create index statements_slow on statements (account_id, accepted_at desc, query_id desc)
  where visible and ended_at - accepted_at >= interval '10 s';
create index statements_very_slow on statements (account_id, accepted_at desc, query_id desc)
  where visible and ended_at - accepted_at > interval '10 min';
create index statements_of_door on statements (account_id, door, accepted_at desc, query_id desc)
  where visible and door <> 'channel';
-- Other runs of the same text.
create index statements_same_text on statements (account_id, hashtextextended(sql, 0), accepted_at desc, query_id desc)
  where visible;
