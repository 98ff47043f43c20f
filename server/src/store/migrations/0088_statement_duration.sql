-- What a statement took from when its turn came to its end, as its sender was told: neither the statements before it in the
-- same text nor those before it on its connection are in it. Null of one whose turn never came, and of one that was cut off.
alter table statements add column duration_us bigint;

-- Of statements from before this column, what is known is when they began.
drop index statements_slow;
drop index statements_very_slow;
create index statements_slow on statements (account_id, accepted_at desc, query_id desc)
  where visible and coalesce(duration_us, case when state <> 'interrupted'
    then (extract(epoch from ended_at - started_at) * 1000000)::bigint end) >= 10000000;
create index statements_very_slow on statements (account_id, accepted_at desc, query_id desc)
  where visible and coalesce(duration_us, case when state <> 'interrupted'
    then (extract(epoch from ended_at - started_at) * 1000000)::bigint end) > 600000000;
