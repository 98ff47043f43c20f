-- Usage keeps what it cost when it was used: edition and region of the account, and the price of a CCU in that hour. What
-- is there was used at the prices that have held since the first.

alter table warehouse_usage
  add column edition text,
  add column region text,
  add column usd_per_ccu numeric(12, 6);

update warehouse_usage set
    edition = accounts.edition,
    region = accounts.region,
    usd_per_ccu = case accounts.edition when 'lake' then 0.68 else 1.58 end
  from accounts where accounts.account_id = warehouse_usage.account_id;

alter table warehouse_usage
  alter column edition set not null,
  alter column region set not null,
  alter column usd_per_ccu set not null,
  drop constraint warehouse_usage_pkey,
  -- An account may change its edition in the middle of an hour.
  add primary key (warehouse_id, hour, size, edition, region, usd_per_ccu);
