-- Mixed letter case is one address.
update users set email = lower(email) where email is not null;
create unique index users_account_id_email on users (account_id, lower(email)) where email is not null;

alter table logins
  -- How the user proved to be who they are.
  add column method text not null default 'password' check (method in ('password', 'sso')),
  add column user_agent text not null default '';
