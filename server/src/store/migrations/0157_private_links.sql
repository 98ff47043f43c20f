-- From where the clients of an approved endpoint come, where the network does not say which endpoint they came through.
alter table vpc_endpoints add column addresses text not null default '';
-- When the cloud first had a connection request from the endpoint.
alter table vpc_endpoints add column request_seen_at timestamptz;
-- The private endpoint that a statement or somebody came through; null: the public address.
alter table statements add column private_endpoint text;
alter table sign_ins add column private_endpoint text;
