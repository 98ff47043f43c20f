-- Who has looked at a result that was shared, so that the audit log tells of it once for each of them and each sharing.
create table shared_result_uses (
  query_id uuid not null references shared_results on delete cascade,
  user_id uuid not null references users on delete cascade,
  -- As of the sharing: shared anew, a result is looked at anew.
  shared_at timestamptz not null,
  primary key (query_id, user_id)
);
create index shared_result_uses_user_id on shared_result_uses (user_id);
