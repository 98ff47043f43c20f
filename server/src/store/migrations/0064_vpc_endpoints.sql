-- VPC endpoints that ask to be let in to an account. The operator of the service decides on each.

create table vpc_endpoints (
  account_id text not null references accounts on delete cascade,
  endpoint_id text not null check (endpoint_id ~ '^vpce-[0-9a-f]{8,17}$'),
  aws_account_id text not null check (aws_account_id ~ '^[0-9]{12}$'),
  region text not null,
  connection_type text not null check (connection_type in ('sql', 'streaming')),
  creator text not null,
  created_at timestamptz not null,
  status text not null check (status in ('pending', 'available', 'rejected')),
  reason text,
  decided_at timestamptz,
  primary key (account_id, endpoint_id),
  check ((status = 'pending') = (decided_at is null)),
  check ((status = 'rejected') = (reason is not null))
);
-- As the operator is shown them.
create index vpc_endpoints_asked on vpc_endpoints (status, created_at);
create index vpc_endpoints_created_at on vpc_endpoints (created_at);
-- An endpoint leads to one account.
create unique index vpc_endpoints_available on vpc_endpoints (endpoint_id) where status = 'available';
