-- Who created an account is told by name, and decided by id: a name can become somebody else's. Not a reference: an id
-- never does, and the account outlives its creator.

alter table accounts add column creator_id uuid;

update accounts set creator_id = users.user_id
  from users where users.account_id = accounts.account_id and users.name = accounts.creator;
