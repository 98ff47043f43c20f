-- A file for a download is written down before it is made, with the room that it may take, then with its size. It counts
-- until it is removed, also while it is fetched.
alter table downloads
  add column bytes bigint not null default 0,
  add column made_at timestamptz,
  add column taken_at timestamptz;

update downloads set made_at = now();
