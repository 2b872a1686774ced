/* Ratings: games that wait to count, what each has done, and how strong players are held to be. */
#ifndef SERVER_STORE_POSTGRES_RATINGS_H
#define SERVER_STORE_POSTGRES_RATINGS_H

#include "server/store/postgres_driver.h"

driver_perform_request postgres_ratable, postgres_ratings, postgres_leaders, postgres_rate,
    postgres_rated, postgres_standings;

#endif
