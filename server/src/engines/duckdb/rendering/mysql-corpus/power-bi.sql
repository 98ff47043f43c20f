# As Power BI and Excel write them through ODBC.
select `_`.`status`, sum(`_`.`amount`) as `a0` from `orders` `_` group by `_`.`status` order by `_`.`status`
select `rows`.`status` as `status`, count(1) as `a0` from ( select `status` from `orders` where `placed` >= '2024-01-01 00:00:00' ) `rows` group by `status` order by 1 limit 1000001
select `$Table`.`id` as `id`, `$Table`.`name` as `name`, `$Table`.`born` as `born` from `people` as `$Table` order by `$Table`.`id` limit 200
select top_.`name` from (select `name`, `height` from `people` where `height` is not null order by `height` desc limit 2) top_ order by 1
select count(distinct(`status`)) + max(if(`status` is null, 1, 0)) as `a0` from `orders`
select cast(`placed` as date) as `d`, cast(`amount` as decimal(18,4)) as `a`, cast(`id` as char(10)) as `c` from `orders` order by `id`
select convert(`id`, char) as `c`, convert(`amount`, signed) as `s`, convert('2024-01-31', date) as `d` from `orders` order by `id`
select convert(`name` using utf8mb4) as `n` from `people` order by `id`
select year(`placed`) as `y`, month(`placed`) as `m`, day(`placed`) as `d` from `orders` order by `id`
select case when `amount` is null then null else `amount` * 1.19 end as `gross` from `orders` order by `id`
select `name` from `people` where `name` like '%r%' and `name` is not null order by `name`
select `name` from `people` where (`born` >= {d '1900-01-01'}) and (`born` < {d '1935-01-01'}) order by `born`
select `o`.`id`, `p`.`name` from { oj `orders` `o` left outer join `people` `p` on `o`.`person` = `p`.`id` } order by `o`.`id`
select {fn year(`placed`)} as `y`, {fn quarter(`placed`)} as `q` from `orders` order by `id`
select {fn substring(`name`, 1, 3)} as `s`, {fn length(`name`)} as `l`, {fn ifnull(`city`, 'none')} as `c` from `people` order by `id`
select {fn timestampadd(SQL_TSI_DAY, 1, `placed`)} as `t`, {fn timestampdiff(SQL_TSI_HOUR, `placed`, {ts '2024-03-01 12:00:00'})} as `h` from `orders` order by `id`
select sum(`quantity`) as `a0`, min(`quantity`) as `a1`, max(`quantity`) as `a2`, avg(`quantity`) as `a3` from `orders`
select max(char_length(`name`)) as `m`, min(octet_length(`city`)) as `n` from `people`
select `status`, count(*) as `n` from `orders` group by `status` having count(*) >= 2 order by `n` desc, `status`
select exists(select 1 from `orders` where `amount` > 1000) as `e`
select `id` from `orders` where `id` in (select `id` from `orders` where `quantity` between 2 and 10) order by `id`
select distinct left(`status`, 1) as `l` from `orders` order by `l`
select ifnull(`note`, '') as `n`, nullif(`note`, '') as `m` from `orders` order by `id`
select timestamp('2024-01-31', '10:20:30') as `t`, date('2024-01-31 10:20:30') as `d`, time('2024-01-31 10:20:30') as `c`
select least(1, 2, 3) as `l`, greatest(1, null, 3) as `g`, coalesce(null, 'x') as `c`
select `$Table`.`id` as `id`, `$Table`.`name` as `name`, `$Table`.`city` as `city` from `people` as `$Table` limit 4096
select `rows`.`status` as `status`, sum(`rows`.`amount`) as `a0`, count(`rows`.`person`) as `a1` from ( select `_`.`status`, `_`.`amount`, `_`.`person` from `orders` as `_` where `_`.`amount` > 1 ) as `rows` group by `status` order by `rows`.`status`
select `_`.`id`, `_`.`t0_0` as `t0_0` from (select `_`.`id` as `id`, case when `_`.`amount` is null then null else `_`.`amount` * 2 end as `t0_0` from `orders` `_`) as `_` order by `_`.`t0_0` desc, `_`.`id` limit 3 offset 0
select count(*) as `c1` from ( select distinct `$Outer`.`city`, `$Inner`.`status` from `people` as `$Outer` left outer join `orders` as `$Inner` on (`$Outer`.`id` = `$Inner`.`person`) ) as `rows`
select cast(`orders`.`placed` as date) as `d`, cast(`orders`.`amount` as char(20)) as `t`, cast(`orders`.`quantity` as decimal(10, 2)) as `q` from `orders` order by `orders`.`id`
