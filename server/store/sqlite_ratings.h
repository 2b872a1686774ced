/* Ratings: games that wait to count, what each has done, and how strong players are held to be. */
#ifndef SERVER_STORE_SQLITE_RATINGS_H
#define SERVER_STORE_SQLITE_RATINGS_H

#include "server/store/sqlite_driver.h"

driver_perform_request sqlite_ratable, sqlite_ratings, sqlite_leaders, sqlite_rate, sqlite_rated,
    sqlite_standings;

#endif
