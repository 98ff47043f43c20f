-- How much is kept for each user and each account, of what is kept without end or for long. Counted where it is written,
-- in the same transaction, so that whoever looks behind a write finds it in the sum, and two at once wait for one another.
create table kept_bytes (
  account_id text not null references accounts on delete cascade,
  -- Of the account as a whole it is the id of zeros.
  user_id uuid not null,
  kind text not null,
  -- The month of the history, which goes as a whole; else empty.
  part text not null default '',
  bytes bigint not null,
  primary key (account_id, user_id, kind, part)
);

-- The account before the user: whoever locks both does so in this order.
create function count_kept(account text, owner uuid, of_kind text, of_part text, more bigint) returns void
  language plpgsql set search_path from current as $$
declare
  whose uuid;
begin
  if more = 0 then
    return;
  end if;
  foreach whose in array array['00000000-0000-0000-0000-000000000000'::uuid, owner] loop
    if more > 0 then
      insert into kept_bytes values (account, whose, of_kind, of_part, more)
        on conflict (account_id, user_id, kind, part) do update set bytes = kept_bytes.bytes + more;
    else
      update kept_bytes set bytes = greatest(0, bytes + more)
        where account_id = account and user_id = whose and kind = of_kind and part = of_part;
    end if;
  end loop;
end
$$;

-- Saved queries, those in the bin among them.
create function saved_query_bytes(tab editor_tabs) returns bigint language sql immutable as $$
  select octet_length(tab.sql)::bigint + octet_length(tab.name) + coalesce(octet_length(tab.chart::text), 0)
$$;

create function count_saved_query() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op = 'INSERT' then
    perform count_kept(new.account_id, new.user_id, 'queries', '', saved_query_bytes(new));
  elsif tg_op = 'DELETE' then
    perform count_kept(old.account_id, old.user_id, 'queries', '', -saved_query_bytes(old));
  else
    perform count_kept(new.account_id, new.user_id, 'queries', '', saved_query_bytes(new) - saved_query_bytes(old));
  end if;
  return null;
end
$$;

create trigger editor_tabs_counted after insert or delete on editor_tabs
  for each row execute function count_saved_query();
create trigger editor_tabs_recounted after update of sql, name, chart on editor_tabs
  for each row execute function count_saved_query();

-- Of the history, what is longer than an ordinary statement. A text that was shortened says how long it was, and what
-- it was by its hash: the same request sent again is still known.
alter table statements add column sql_bytes integer, add column sql_hash bytea;

create function statement_bytes(sql text, plan text, profile jsonb, error jsonb, columns jsonb) returns bigint
  language sql immutable as $$
  select 0::bigint
    + case when octet_length(sql) > 4096 then octet_length(sql) else 0 end
    + case when octet_length(plan) > 4096 then octet_length(plan) else 0 end
    + case when octet_length(profile::text) > 4096 then octet_length(profile::text) else 0 end
    + case when octet_length(error::text) > 4096 then octet_length(error::text) else 0 end
    + case when octet_length(columns::text) > 4096 then octet_length(columns::text) else 0 end
$$;

create function count_statement() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    perform count_kept(old.account_id, old.user_id, 'history', to_char(old.accepted_at at time zone 'UTC', 'YYYY-MM'),
      -statement_bytes(old.sql, old.plan, old.profile, old.error, old.result_columns));
  end if;
  if tg_op <> 'DELETE' then
    perform count_kept(new.account_id, new.user_id, 'history', to_char(new.accepted_at at time zone 'UTC', 'YYYY-MM'),
      statement_bytes(new.sql, new.plan, new.profile, new.error, new.result_columns));
  end if;
  return null;
end
$$;

-- Ordinary statements are not counted, and cost nothing here.
create trigger statements_counted after insert on statements
  for each row when (octet_length(new.sql) > 4096) execute function count_statement();
create trigger statements_recounted after update on statements
  for each row when (
    statement_bytes(old.sql, old.plan, old.profile, old.error, old.result_columns)
    <> statement_bytes(new.sql, new.plan, new.profile, new.error, new.result_columns)
  ) execute function count_statement();
create trigger statements_uncounted after delete on statements
  for each row when (statement_bytes(old.sql, old.plan, old.profile, old.error, old.result_columns) > 0)
  execute function count_statement();

-- Those that can be shortened, oldest first.
create index statements_long on statements (account_id, accepted_at, user_id)
  where statement_bytes(sql, plan, profile, error, result_columns) > 0 and sql_bytes is null;

-- Texts of tasks that were submitted or run again and again, and of materialized views.
create function count_task() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    perform count_kept(old.account_id, old.user_id, 'tasks', '', -(octet_length(old.definition)::bigint));
  end if;
  if tg_op <> 'DELETE' then
    perform count_kept(new.account_id, new.user_id, 'tasks', '', octet_length(new.definition)::bigint);
  end if;
  return null;
end
$$;
create function count_view() returns trigger language plpgsql set search_path from current as $$
begin
  if tg_op <> 'INSERT' then
    perform count_kept(old.account_id, old.owner_id, 'tasks', '', -(octet_length(old.query)::bigint));
  end if;
  if tg_op <> 'DELETE' then
    perform count_kept(new.account_id, new.owner_id, 'tasks', '', octet_length(new.query)::bigint);
  end if;
  return null;
end
$$;
create trigger task_runs_counted after insert or delete or update of definition, user_id on task_runs
  for each row execute function count_task();
create trigger scheduled_tasks_counted after insert or delete or update of definition, user_id on scheduled_tasks
  for each row execute function count_task();
create trigger materialized_views_counted after insert or delete or update of query, owner_id on materialized_views
  for each row execute function count_view();

-- What there is already counts too. It stays readable; only growing is refused.
insert into kept_bytes (account_id, user_id, kind, part, bytes)
with kept (account_id, user_id, kind, part, bytes) as (
  select account_id, user_id, 'queries', '', saved_query_bytes(editor_tabs) from editor_tabs
  union all
  select account_id, user_id, 'history', to_char(accepted_at at time zone 'UTC', 'YYYY-MM'),
    statement_bytes(sql, plan, profile, error, result_columns)
    from statements where statement_bytes(sql, plan, profile, error, result_columns) > 0
  union all
  select account_id, user_id, 'tasks', '', octet_length(definition) from task_runs
  union all
  select account_id, user_id, 'tasks', '', octet_length(definition) from scheduled_tasks
  union all
  select account_id, owner_id, 'tasks', '', octet_length(query) from materialized_views
)
select account_id, user_id, kind, part, sum(bytes) from kept where account_id in (select account_id from accounts)
  group by account_id, user_id, kind, part
union all
select account_id, '00000000-0000-0000-0000-000000000000', kind, part, sum(bytes)
  from kept where account_id in (select account_id from accounts) group by account_id, kind, part;
