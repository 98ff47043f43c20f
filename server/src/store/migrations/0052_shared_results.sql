-- Kept results that others of the account may look at, if they hold what the statement needed. It goes with the result,
-- a day after its statement ended; statements themselves go by months, so that nothing refers to them.
create table shared_results (
  query_id uuid primary key,
  account_id text not null references accounts on delete cascade,
  shared_at timestamptz not null,
  needed jsonb not null
);
create index shared_results_account_id on shared_results (account_id);
