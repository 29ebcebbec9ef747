CREATE TABLE "raffle" (
	"id" serial PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"title" text NOT NULL,
	"words" text NOT NULL,
	"product_id" integer NOT NULL,
	"countries" jsonb NOT NULL,
	"state" text DEFAULT 'draft' NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone NOT NULL,
	"draw_at" timestamp with time zone NOT NULL,
	"age_min" integer NOT NULL,
	"claim_days" integer NOT NULL,
	"beacon" jsonb,
	"round" bigint,
	"entries_hash" text,
	"entry_count" integer,
	"frozen_at" timestamp with time zone,
	"signature" text,
	"randomness" text,
	"settled_at" timestamp with time zone,
	"erased_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "raffle_slug_unique" UNIQUE("slug"),
	CONSTRAINT "raffle_state_known" CHECK ("raffle"."state" in ('draft', 'open', 'frozen', 'drawn', 'claimed', 'closed')),
	CONSTRAINT "raffle_announced" CHECK ("raffle"."state" in ('draft', 'closed') or ("raffle"."beacon" is not null and "raffle"."round" is not null)),
	CONSTRAINT "raffle_frozen" CHECK (("raffle"."frozen_at" is null) = ("raffle"."entries_hash" is null)),
	CONSTRAINT "raffle_dates_in_order" CHECK ("raffle"."starts_at" < "raffle"."ends_at" and "raffle"."ends_at" < "raffle"."draw_at")
);
--> statement-breakpoint
CREATE TABLE "raffle_access" (
	"token_hash" text PRIMARY KEY NOT NULL,
	"entry_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "raffle_commitment" (
	"raffle_id" integer NOT NULL,
	"commitment" text NOT NULL,
	"entry_id" integer,
	CONSTRAINT "raffle_commitment_raffle_id_commitment_pk" PRIMARY KEY("raffle_id","commitment")
);
--> statement-breakpoint
CREATE TABLE "raffle_draw" (
	"raffle_id" integer NOT NULL,
	"number" integer NOT NULL,
	"commitment" text NOT NULL,
	"drawn_at" timestamp with time zone NOT NULL,
	"claim_until" timestamp with time zone NOT NULL,
	"lapsed_at" timestamp with time zone,
	"order_id" integer,
	CONSTRAINT "raffle_draw_raffle_id_number_pk" PRIMARY KEY("raffle_id","number"),
	CONSTRAINT "raffle_draw_ends_once" CHECK ("raffle_draw"."lapsed_at" is null or "raffle_draw"."order_id" is null)
);
--> statement-breakpoint
CREATE TABLE "raffle_entry" (
	"id" serial PRIMARY KEY NOT NULL,
	"raffle_id" integer NOT NULL,
	"email" text NOT NULL,
	"entrant" text NOT NULL,
	"country" text NOT NULL,
	"secret" text NOT NULL,
	"confirmed_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "raffle_entry_of_address" UNIQUE("raffle_id","email")
);
--> statement-breakpoint
ALTER TABLE "raffle" ADD CONSTRAINT "raffle_product_id_product_id_fk" FOREIGN KEY ("product_id") REFERENCES "public"."product"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_access" ADD CONSTRAINT "raffle_access_entry_id_raffle_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."raffle_entry"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_commitment" ADD CONSTRAINT "raffle_commitment_raffle_id_raffle_id_fk" FOREIGN KEY ("raffle_id") REFERENCES "public"."raffle"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_commitment" ADD CONSTRAINT "raffle_commitment_entry_id_raffle_entry_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."raffle_entry"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_draw" ADD CONSTRAINT "raffle_draw_raffle_id_raffle_id_fk" FOREIGN KEY ("raffle_id") REFERENCES "public"."raffle"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_draw" ADD CONSTRAINT "raffle_draw_order_id_shop_order_id_fk" FOREIGN KEY ("order_id") REFERENCES "public"."shop_order"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "raffle_entry" ADD CONSTRAINT "raffle_entry_raffle_id_raffle_id_fk" FOREIGN KEY ("raffle_id") REFERENCES "public"."raffle"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "raffle_running" ON "raffle" USING btree ("id") WHERE "raffle"."erased_at" is null;--> statement-breakpoint
CREATE INDEX "raffle_access_entry_id_index" ON "raffle_access" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX "raffle_commitment_entry_id_index" ON "raffle_commitment" USING btree ("entry_id");--> statement-breakpoint
CREATE UNIQUE INDEX "raffle_entry_once" ON "raffle_entry" USING btree ("raffle_id","entrant") WHERE "raffle_entry"."confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX "raffle_entry_of_person" ON "raffle_entry" USING btree ("email");