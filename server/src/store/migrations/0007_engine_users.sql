-- The number of the user of the operating system that an account's engine runs as, where the service may choose one. It
-- outlives the account: what that user left on the disk must never become another account's.

create table engine_users (
  account_id text primary key,
  os_user integer not null unique check (os_user > 0)
);
