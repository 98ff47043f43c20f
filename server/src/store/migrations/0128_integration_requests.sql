-- What users ask the operator for: tools that have no guide yet.
create table integration_requests (
  request_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  user_id uuid references users on delete set null,
  -- Who asked, also when that user is gone.
  user_name text not null,
  application_name text not null,
  use_case text not null,
  link text not null,
  created_at timestamptz not null,
  answer text,
  answered_at timestamptz,
  check ((answer is null) = (answered_at is null))
);
create index integration_requests_of_user on integration_requests (user_id, request_id);
create index integration_requests_of_account on integration_requests (account_id, answered_at);
create index integration_requests_unanswered on integration_requests (request_id) where answered_at is null;
