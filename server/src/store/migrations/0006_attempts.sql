-- What strangers try, such as passwords: counted before it is judged, and kept over a restart.
create table attempts (
  -- Of what is counted, as an address or a user: people type passwords into the wrong field.
  key_hash bytea primary key check (octet_length(key_hash) = 32),
  made integer not null,
  next_at timestamptz not null,
  -- After a pause up to here it is counted from the beginning.
  forget_at timestamptz not null,
  -- One of them was right, so that what others do does not slow these down.
  known_until timestamptz
);
create index attempts_forget_at on attempts (forget_at);
