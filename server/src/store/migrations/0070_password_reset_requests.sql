-- Who asked for a link to choose a new password, by what was typed. Written down whether there is such a user or not, so
-- that the answer takes the same time; a job finds out who is meant and writes the mail. No reference to an account:
-- what was typed may be anything.
create table password_reset_requests (
  request_id uuid primary key,
  account_id text not null,
  email text not null,
  created_at timestamptz not null
);
create index password_reset_requests_created_at on password_reset_requests (created_at);
