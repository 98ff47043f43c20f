-- The history lies in months: each is a table of its own, and goes whole when it has expired. What was written before
-- is the first of them as it is, with its indexes: it is read once, and nothing of it is copied.

alter table statements rename to statements_before;
create table statements (like statements_before including defaults including constraints including storage)
  partition by range (accepted_at);

-- Which tables there are, and from when to when.
create table statement_months (
  name text primary key,
  since timestamptz not null,
  until timestamptz not null check (until > since)
);

-- Every month gets the same indexes. Unique ones cannot be told of all months at once: each month has its own.
do $$
declare
  made record;
begin
  for made in
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, i.indisunique as is_unique
      from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'statements_before'::regclass
  loop
    execute format('alter index %I rename to %I', made.name,
      regexp_replace(made.name, '^statements_', 'statements_before_'));
    if not made.is_unique then
      execute regexp_replace(made.definition, ' ON (\S+\.)?statements_before ', ' ON statements ');
    end if;
  end loop;
end
$$;

-- For what no month is there for yet: nothing is refused because a table is missing.
create table statements_other (like statements including all);
alter table statements_other
  add primary key (query_id), add unique (account_id, request_id, statement_index);
alter table statements attach partition statements_other default;

do $$
declare
  ends timestamptz;
begin
  if not exists (select from statements_before) then
    drop table statements_before;
    return;
  end if;
  select date_trunc('month', greatest(max(accepted_at), now()), 'UTC') into ends from statements_before;
  ends := (ends at time zone 'UTC' + interval '1 month') at time zone 'UTC';
  execute format('alter table statements attach partition statements_before for values from (minvalue) to (%L)', ends);
  insert into statement_months values ('statements_before', '-infinity', ends);
end
$$;

-- The month that the day is in, and what was written of it so far. Nothing happens when it is there.
create function add_statement_month(day date) returns void language plpgsql
  set search_path from current set lock_timeout = '5s' as $$
declare
  begins timestamp := date_trunc('month', day::timestamp);
  starts timestamptz := begins at time zone 'UTC';
  ends timestamptz := (begins + interval '1 month') at time zone 'UTC';
  named text := 'statements_' || to_char(begins, 'YYYY_MM');
begin
  if exists (select from statement_months m where m.since < ends and m.until > starts) then
    return;
  end if;
  insert into statement_months values (named, starts, ends) on conflict do nothing;
  if not found then
    return;
  end if;
  -- Whoever writes to it waits, and then finds its rows where they are.
  lock table statements_other in access exclusive mode;
  execute format('create table %I (like statements including all)', named);
  execute format('alter table %I add primary key (query_id), add unique (account_id, request_id, statement_index)',
    named);
  execute format('with moved as (delete from statements_other where accepted_at >= %L and accepted_at < %L returning *)
    insert into %I select * from moved', starts, ends, named);
  execute format('alter table statements attach partition %I for values from (%L) to (%L)', named, starts, ends);
end
$$;

-- A request sent again finds its execution instead of running twice, in whichever month that was. Two at the same
-- moment, of which one is in the next month already, wait for one another.
create function refuse_written_request() returns trigger language plpgsql
  set search_path from current as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(new.request_id, hashtextextended(new.account_id, 0)));
  if exists (
    select from statements
     where account_id = new.account_id and request_id = new.request_id and statement_index = new.statement_index
  ) then
    raise unique_violation using message = 'this request is written already';
  end if;
  return new;
end
$$;

create trigger statements_once before insert on statements
  for each row execute function refuse_written_request();
