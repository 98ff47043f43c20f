-- Mail addresses that users asked for in their profile and that nobody has confirmed yet. The link that confirms one is
-- in `links`; a new password ends what was asked for before it.

create table address_changes (
  user_id uuid primary key references users on delete cascade,
  email text not null,
  asked_at timestamptz not null
);
