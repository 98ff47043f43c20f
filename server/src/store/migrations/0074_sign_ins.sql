-- Who signed in and out of an account, and who tried to. What repeats within a minute is one row with a count, and of what
-- fails an account has a bounded number of rows a day, so that strangers cannot fill it.
create table sign_ins (
  sign_in_id bigint generated always as identity primary key,
  account_id text not null references accounts on delete cascade,
  -- What makes two of them one row: the minute, who, from where, how and what came of it.
  bucket text not null,
  at timestamptz not null,
  last_at timestamptz not null,
  count integer not null default 1,
  -- Null where nobody in the account has the name that was typed, which is then not kept: people type passwords there.
  user_id uuid,
  user_name text,
  method text,
  outcome text not null,
  client_ip inet,
  user_agent text not null default '',
  -- Whether the audit log has it. It is written there once its minute is over.
  told boolean not null default false
);
create unique index sign_ins_bucket on sign_ins (account_id, bucket);
-- In the order of the list, each way in which that is narrowed.
create index sign_ins_at on sign_ins (account_id, at, sign_in_id);
create index sign_ins_user on sign_ins (account_id, lower(user_name), at, sign_in_id);
create index sign_ins_outcome on sign_ins (account_id, outcome, at, sign_in_id);
create index sign_ins_of_user on sign_ins (user_id, at, sign_in_id);
create index sign_ins_failed on sign_ins (account_id, at) where outcome not in ('signedIn', 'signedOut');
create index sign_ins_untold on sign_ins (at) where not told;
create index sign_ins_old on sign_ins (at) where told;
