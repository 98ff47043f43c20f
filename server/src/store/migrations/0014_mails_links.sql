-- Mails are written in the transaction of what they tell, and delivered by a job.

create table mails (
  mail_id uuid primary key,
  -- Null: about no account, or about one that is gone.
  account_id text references accounts on delete cascade,
  recipient text not null,
  kind text not null,
  -- Sealed: it may hold the token of a link. Null once the mail is sent or given up.
  details text,
  -- 'kept' stays here for the operator, where there is no mail server.
  state text not null check (state in ('waiting', 'sent', 'kept', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  error text
);
create index mails_waiting on mails (next_attempt_at) where state = 'waiting';
create index mails_created_at on mails (created_at);
create index mails_account_id on mails (account_id);

-- Each allows one thing, once. The token itself is only in the mail.
create table links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  purpose text not null,
  -- What it is about: the id of a user, of a sign-up, of an account.
  subject text not null,
  account_id text references accounts on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index links_purpose_subject on links (purpose, subject);
create index links_expires_at on links (expires_at);
create index links_account_id on links (account_id);
